// RUN: stepwell-opt %s -p flatten-storage --split-input-file --verify-diagnostics | filecheck %s

// CHECK: error: 'loop.block': buffer of type memref<?x8xf32> has dynamic dims and no loop.shape
func.func @no_shape(%n: index, %x: memref<?x8xf32>) {
  loop.for "i" %i = 0 to %n {
    loop.block "fill" (%vi : spatial = %i) reads() writes(%x[%vi, 0]) {
      %z = arith.constant 1.0 : f32
      loop.yield %z
    }
  }
  func.return
}

// -----

// CHECK: error: 'graph.relu': has tensors: convert-calls-to-buffers must run before flatten-storage
func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// -----

// CHECK: error: 'test.op': uses a buffer memref<2x2xf32> in a way that flatten-storage does not know
func.func @unknown_use(%x: memref<2x2xf32>) {
  "test.op"(%x) : (memref<2x2xf32>) -> ()
  func.return
}
