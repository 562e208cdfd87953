// RUN: stepwell-opt %s -p 'convert-graph-to-loop{partial=true}' --allow-unregistered-dialect | filecheck %s
// RUN: not stepwell-opt %s -p convert-graph-to-loop --allow-unregistered-dialect 2>&1 | filecheck %s --check-prefix ERROR

// Rows A34. An op that the table does not have stays as it is.
// CHECK-LABEL: @partly
// CHECK-NEXT:    %{{.*}} = graph.call_tir @relu(%x)
// CHECK-NEXT:    %{{.*}} = "user.wave"
// ERROR: partial.mlir:11: error: 'user.wave': no lowering: add one to LOWERINGS of conversions/graph_to_loop/lowerings.py
func.func @partly(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.relu %x : tensor<4xf32>
  %z = "user.wave"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}
