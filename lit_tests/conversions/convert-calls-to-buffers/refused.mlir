// RUN: stepwell-opt %s -p convert-calls-to-buffers --split-input-file --verify-diagnostics | filecheck %s

// CHECK: refused.mlir:5: error: 'graph.relu': no lowering: add one to LOWERINGS of conversions/graph_to_loop/lowerings.py
func.func @left_over(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// -----

// CHECK: refused.mlir:12: error: 'func.func': a primitive function is left: run fuse-loop-functions first
func.func private @group(%x : tensor<4xf32>) -> tensor<4xf32> attributes {primitive = 1 : i64} {
  func.return %x : tensor<4xf32>
}

// -----

// CHECK: refused.mlir:19: error: 'func.func': the size k of a result is not one of an argument
func.func @unknown_size(%x : tensor<4xf32>) -> tensor<?xf32, #graph.dims<k>> {
  %y = graph.call_tir @f(%x) dims [k] : (tensor<4xf32>) -> tensor<?xf32, #graph.dims<k>>
  func.return %y : tensor<?xf32, #graph.dims<k>>
}
func.func private @f(%k : index, %x : memref<4xf32>, %y : memref<?xf32>) attributes {dims = ["k"], outputs_count = 1 : i64} {
  loop.shape %y[%k]
  func.return
}

// -----

// CHECK: refused.mlir:31: error: 'func.func': a function of tensors without a body
func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>
