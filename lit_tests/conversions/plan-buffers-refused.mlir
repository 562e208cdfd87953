// RUN: stepwell-opt %s -p plan-buffers --split-input-file --verify-diagnostics | filecheck %s

// CHECK: error: 'func.call': function @f calls itself: it has no workspace
func.func @f(%x: memref<4xf32>) {
  func.call @f(%x) : (memref<4xf32>) -> ()
  func.return
}

// -----

// CHECK: error: 'loop.alloc': has no place in the workspace: its size depends on 'k', which is not known where the function is entered
func.func @size_from_memory(%x: memref<4xi64>) {
  %s = loop.load %x[0] : i64
  %k = arith.index_cast %s : i64 to index
  %t = loop.alloc "global" [%k] : memref<?xi64>
  loop.store %s, %t[0]
  func.return
}

// -----

// CHECK: error: 'func.return': returns a buffer of the workspace, which the caller may use again
func.func @returned() -> memref<4xf32> {
  %t = loop.alloc "global" : memref<4xf32>
  func.return %t : memref<4xf32>
}
