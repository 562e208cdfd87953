// RUN: stepwell run %s --values

// By hand: vectors of neighbours, of every second element, by number, and with lanes that are off.
// VALUE: blocks([1, 2, 3, 4, 5, 6, 7, 8]) = [2, 4, 6, 8, 10, 12, 14, 16]
func.func @blocks(%x : memref<8xf32>, %y : memref<8xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 2 {
    %v = simd.load %x[%i * 4] : vector<4xf32>
    %s = arith.addf %v, %v : vector<4xf32>
    simd.store %s, %y[%i * 4]
  }
  func.return
}
// VALUE: strided([1, 2, 3, 4, 5, 6, 7, 8]) = [1, 3, 5, 7]
func.func @strided(%x : memref<8xi32>, %y : memref<4xi32>) attributes {outputs_count = 1 : i64} {
  %v = simd.strided_load %x[0] stride 2 : vector<4xi32>
  simd.store %v, %y[0]
  func.return
}
// VALUE: gathered([10, 20, 30, 40, 50], [4, 0, 1, 4]) = [50, 10, 20, 50]
func.func @gathered(%x : memref<5xf32>, %n : memref<4xi64>, %y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  %o = simd.load %n[0] : vector<4xi64>
  %v = simd.gather %o, %x[0] : vector<4xf32>
  simd.store %v, %y[0]
  func.return
}
// Six elements in vectors of four: the last two lanes are neither read nor written.
// VALUE: masked([1, 2, 3, 4, 5, 6]) = [-1, -2, -3, -4, -5, -6]
func.func @masked(%x : memref<6xf32>, %y : memref<6xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 2 {
    %m = simd.mask 6 - %i * 4 : vector<4xi1>
    %v = simd.masked_load %m, %x[%i * 4] else 0.0 : f32 : vector<4xf32>
    %n = arith.negf %v : vector<4xf32>
    simd.masked_store %m, %n, %y[%i * 4]
  }
  func.return
}
// What is behind else stands in for lanes that are off.
// VALUE: padded([1, 2, 3]) = [1, 2, 3, 9]
func.func @padded(%x : memref<3xi32>, %y : memref<4xi32>) attributes {outputs_count = 1 : i64} {
  %m = simd.mask 3 : vector<4xi1>
  %v = simd.masked_load %m, %x[0] else 9 : i32 : vector<4xi32>
  simd.store %v, %y[0]
  func.return
}
// Conditions: the first vector is not read, the second not written.
// VALUE: guarded([1, 2, 3, 4]) = [7, 7, 7, 7]
func.func @guarded(%x : memref<4xf32>, %y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 2 {
    %v = simd.load %x[%i * 4 - 4] if (%i - 1 >= 0) else 7.0 : f32 : vector<4xf32>
    simd.store %v, %y[%i * 4] if (0 - %i >= 0)
  }
  func.return
}
