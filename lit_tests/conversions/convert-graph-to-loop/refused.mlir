// RUN: stepwell-opt %s -p convert-graph-to-loop --split-input-file --verify-diagnostics | filecheck %s

// CHECK: refused.mlir:5: error: 'graph.relu': a dim of [?] has no name: run infer-shapes first
func.func @anonymous(%x : tensor<?xf32>) -> tensor<?xf32> {
  %y = graph.relu %x : tensor<?xf32>
  func.return %y : tensor<?xf32>
}
