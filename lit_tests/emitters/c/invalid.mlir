// RUN: not stepwell-opt %s -t c 2>&1 | filecheck %s

// CHECK: invalid.mlir:5: error: 'loop.alloc': is a buffer without a place: plan-buffers must run before C is written
func.func @early(%y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  %t = loop.alloc "global" : memref<4xf32>
  func.return
}
