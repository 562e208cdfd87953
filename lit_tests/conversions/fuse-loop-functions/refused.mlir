// RUN: stepwell-opt %s -p fuse-loop-functions --split-input-file --verify-diagnostics | filecheck %s

// CHECK: refused.mlir:5: error: 'graph.relu': has no loop form: convert-graph-to-loop comes first, and needs a lowering for every op
func.func private @group(%x : tensor<4xf32>) -> tensor<4xf32> attributes {primitive = 1 : i64} {
  %y = graph.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// -----

// CHECK: refused.mlir:13: error: 'graph.call_tir': argument 0 of @f is memref<8xf32>, which the call does not match
func.func private @group(%x : tensor<4xf32>) -> tensor<4xf32> attributes {primitive = 1 : i64} {
  %y = graph.call_tir @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func private @f(%x : memref<8xf32>, %y : memref<8xf32>) attributes {outputs_count = 1 : i64} {
  func.return
}

// -----

// CHECK: refused.mlir:23: error: 'func.func': primitive functions call each other
func.func private @group(%x : tensor<4xf32>) -> tensor<4xf32> attributes {primitive = 1 : i64} {
  %y = func.call @group(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
