// RUN: stepwell-opt %s | filecheck %s
// RUN: stepwell-opt %s | stepwell-opt | filecheck %s
// RUN: stepwell-opt %s --print-op-generic | stepwell-opt | filecheck %s

// CHECK-LABEL: @loads
// CHECK:         %v = simd.load %b[%i, %i * 8] : vector<8xf32>
// CHECK-NEXT:    %g = simd.load %b[%i - 1, 0] if (%i - 1 >= 0, -%i + 7 >= 0) else 0.000000e+00 : f32 : vector<8xf32>
// CHECK-NEXT:    %s = simd.strided_load %b[%i, 0] stride 2 : vector<4xf32>
// CHECK-NEXT:    %o = simd.iota : vector<4xi64>
// CHECK-NEXT:    %x = simd.gather %o, %b[0, %i] : vector<4xf32>
// CHECK-NEXT:    %m = simd.mask %i - 3 : vector<8xi1>
// CHECK-NEXT:    %k = simd.masked_load %m, %b[%i, 0] else 0xff800000 : f32 : vector<8xf32>
// CHECK-NEXT:    %l = simd.masked_load %m, %b[%i, 0] if (%i - 1 >= 0) else 1.000000e+00 : f32 : vector<8xf32>
func.func @loads(%i: index, %b: memref<8x64xf32>) {
  %v = simd.load %b[%i, %i * 8] : vector<8xf32>
  %g = simd.load %b[%i - 1, 0] if (%i - 1 >= 0, 7 - %i >= 0) else 0.0 : f32 : vector<8xf32>
  %s = simd.strided_load %b[%i, 0] stride 2 : vector<4xf32>
  %o = simd.iota : vector<4xi64>
  %x = simd.gather %o, %b[0, %i] : vector<4xf32>
  %m = simd.mask %i - 3 : vector<8xi1>
  %k = simd.masked_load %m, %b[%i, 0] else 0xff800000 : f32 : vector<8xf32>
  %l = simd.masked_load %m, %b[%i, 0] if (%i - 1 >= 0) else 1.0 : f32 : vector<8xf32>
  func.return
}

// CHECK-LABEL: @stores
// CHECK:         simd.store %v, %b[%i]
// CHECK-NEXT:    simd.store %v, %b[%i + 1] if (%i >= 0)
// CHECK-NEXT:    simd.masked_store %m, %v, %b[0]
// CHECK-NEXT:    simd.masked_store %m, %v, %b[0] if (%i - 2 >= 0)
func.func @stores(%i: index, %x: i32, %b: memref<?xi32>) {
  %v = simd.broadcast %x : vector<4xi32>
  %m = simd.mask 3 : vector<4xi1>
  simd.store %v, %b[%i]
  simd.store %v, %b[%i + 1] if (%i >= 0)
  simd.masked_store %m, %v, %b[0]
  simd.masked_store %m, %v, %b[0] if (%i - 2 >= 0)
  func.return
}

// CHECK-LABEL: @registers
// CHECK:         %a = simd.broadcast %x : vector<4xf32>
// CHECK-NEXT:    %f = simd.fma %a, %a, %a : vector<4xf32>
// CHECK-NEXT:    %h = simd.max %a, %f : vector<4xf32>
// CHECK-NEXT:    %l = simd.min %a, %f : vector<4xf32>
// CHECK-NEXT:    %p = arith.maximumf %h, %l : vector<4xf32>
// CHECK-NEXT:    %c = simd.compare "olt" %h, %l : vector<4xf32>
// CHECK-NEXT:    %s = simd.select %c, %h, %l : vector<4xf32>
// CHECK-NEXT:    %t = simd.shuffle %s, %p [0, 4, 1, 5, 7, 7, 7, 7] : vector<8xf32>
// CHECK-NEXT:    %r = simd.reduce "add" %x, %t : vector<8xf32>
// CHECK-NEXT:    return %r : f32
func.func @registers(%x: f32) -> f32 {
  %a = simd.broadcast %x : vector<4xf32>
  %f = simd.fma %a, %a, %a : vector<4xf32>
  %h = simd.max %a, %f : vector<4xf32>
  %l = simd.min %a, %f : vector<4xf32>
  %p = arith.maximumf %h, %l : vector<4xf32>
  %c = simd.compare "olt" %h, %l : vector<4xf32>
  %s = simd.select %c, %h, %l : vector<4xf32>
  %t = simd.shuffle %s, %p [0, 4, 1, 5, 7, 7, 7, 7] : vector<8xf32>
  %r = simd.reduce "add" %x, %t : vector<8xf32>
  func.return %r : f32
}

// CHECK-LABEL: @casts
// CHECK:         %a = simd.iota : vector<4xi32>
// CHECK-NEXT:    %b = simd.convert "sitofp" %a : vector<4xi32> to vector<4xf32>
// CHECK-NEXT:    %c = simd.convert "fptosi" %b : vector<4xf32> to vector<4xi64>
// CHECK-NEXT:    %d = simd.convert "trunci" %c : vector<4xi64> to vector<4xi1>
func.func @casts() {
  %a = simd.iota : vector<4xi32>
  %b = simd.convert "sitofp" %a : vector<4xi32> to vector<4xf32>
  %c = simd.convert "fptosi" %b : vector<4xf32> to vector<4xi64>
  %d = simd.convert "trunci" %c : vector<4xi64> to vector<4xi1>
  func.return
}
