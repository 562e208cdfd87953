// RUN: stepwell-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: error: 'simd.load': vector<8xf32> from or to a buffer of f64
func.func @element(%b: memref<8xf64>) {
  %v = simd.load %b[0] : vector<8xf32>
  func.return
}

// -----

// CHECK: error: 'simd.load': 1 indices for a buffer of rank 2
func.func @rank(%b: memref<8x8xf64>) {
  %v = simd.load %b[0] : vector<8xf64>
  func.return
}

// -----

// CHECK: error: 'simd.load': a buffer of rank 0 has one element: not for a vector
func.func @no_dims(%b: memref<f64>) {
  %v = simd.load %b[] : vector<8xf64>
  func.return
}

// -----

// CHECK: error: 'simd.load': a guard or a mask, and a value after else, come together
func.func @guard_without_value(%i: index, %b: memref<8xf32>) {
  %v = simd.load %b[0] if (%i >= 0) : vector<8xf32>
  func.return
}

// -----

// CHECK: error: 'simd.load': the value after else, 1 : i32, has not the element type
func.func @pad_type(%i: index, %b: memref<8xf32>) {
  %v = simd.load %b[0] if (%i >= 0) else 1 : i32 : vector<8xf32>
  func.return
}

// -----

// CHECK: error: a vector of one fixed number of lanes expected, found vector<2x4xf32>
func.func @rank_of_vector(%b: memref<8xf32>) {
  %v = simd.load %b[0] : vector<2x4xf32>
  func.return
}

// -----

// CHECK: error: 'simd.strided_load': a stride of 1: must be at least 2
func.func @stride(%b: memref<8xf32>) {
  %v = simd.strided_load %b[0] stride 1 : vector<4xf32>
  func.return
}

// -----

// CHECK: error: 'simd.gather': 4 offsets for 8 lanes
func.func @offsets(%b: memref<8xf32>) {
  %o = simd.iota : vector<4xi64>
  %v = simd.gather %o, %b[0] : vector<8xf32>
  func.return
}

// -----

// CHECK: error: 'simd.masked_load': a mask for 8 lanes is vector<8xi1>, not vector<4xi1>
func.func @mask(%b: memref<8xf32>) {
  %m = simd.mask 3 : vector<4xi1>
  %v = simd.masked_load %m, %b[0] else 0.0 : f32 : vector<8xf32>
  func.return
}

// -----

// CHECK: error: the lanes hold f32, not f64
func.func @broadcast(%x: f32) {
  %v = simd.broadcast %x : vector<4xf64>
  func.return
}

// -----

// CHECK: error: 'simd.iota': lane numbers are integers, not f32
func.func @iota() {
  %v = simd.iota : vector<4xf32>
  func.return
}

// -----

// CHECK: error: 'simd.fma': a vector of floats expected, found vector<4xi32>
func.func @fma() {
  %v = simd.iota : vector<4xi32>
  %w = simd.fma %v, %v, %v : vector<4xi32>
  func.return
}

// -----

// CHECK: error: 'simd.compare': predicate 'slt' on f32: must be one of false, oeq
func.func @predicate(%x: f32) {
  %v = simd.broadcast %x : vector<4xf32>
  %m = simd.compare "slt" %v, %v : vector<4xf32>
  func.return
}

// -----

// CHECK: error: 'simd.reduce': combination 'and' is for integers, not f32
func.func @combination(%x: f32) {
  %v = simd.broadcast %x : vector<4xf32>
  %r = simd.reduce "and" %x, %v : vector<4xf32>
  func.return
}

// -----

// CHECK: error: 'simd.shuffle': lane 8 of two vectors with 8 lanes
func.func @shuffle(%x: f32) {
  %v = simd.broadcast %x : vector<4xf32>
  %w = simd.shuffle %v, %v [0, 8] : vector<2xf32>
  func.return
}

// -----

// CHECK: error: 'simd.convert': cast 'sitofp' is not for f32 to f32
func.func @convert(%x: f32) {
  %v = simd.broadcast %x : vector<4xf32>
  %w = simd.convert "sitofp" %v : vector<4xf32> to vector<4xf32>
  func.return
}

// -----

// CHECK: error: 'simd.store': vector<4xf32> from or to a buffer of f64
func.func @store(%x: f32, %b: memref<8xf64>) {
  %v = simd.broadcast %x : vector<4xf32>
  simd.store %v, %b[0]
  func.return
}

// -----

// CHECK: error: 'simd.masked_store': a mask for 4 lanes is vector<4xi1>, not vector<8xi1>
func.func @masked_store(%x: f32, %b: memref<8xf32>) {
  %v = simd.broadcast %x : vector<4xf32>
  %m = simd.mask 3 : vector<8xi1>
  simd.masked_store %m, %v, %b[0]
  func.return
}

// -----

// CHECK: error: a mask is a vector of i1, not vector<8xi32>
func.func @mask_type() {
  %m = simd.mask 3 : vector<8xi32>
  func.return
}

// -----

// CHECK: error: 'simd.max': a vector of floats expected, found vector<4xi32>
func.func @max() {
  %v = simd.iota : vector<4xi32>
  %w = simd.max %v, %v : vector<4xi32>
  func.return
}

// -----

// CHECK: error: 'simd.min': vectors of one type expected, found vector<4xf32> and vector<2xf32>
func.func @min(%x: f32) {
  %v = simd.broadcast %x : vector<4xf32>
  %u = simd.broadcast %x : vector<2xf32>
  %w = "simd.min"(%v, %u) : (vector<4xf32>, vector<2xf32>) -> vector<4xf32>
  func.return
}

// -----

// CHECK: error: 'simd.select': a mask for 4 lanes is vector<4xi1>, not vector<4xf32>
func.func @select(%x: f32) {
  %v = simd.broadcast %x : vector<4xf32>
  %w = simd.select %v, %v, %v : vector<4xf32>
  func.return
}

// -----

// CHECK: error: a vector has 1 to 65536 lanes, found vector<0xi1>
func.func @no_lanes() {
  %m = simd.mask 1 : vector<0xi1>
  func.return
}

// -----

// CHECK: error: no lane can hold i3, found vector<4xi3>
func.func @odd_lanes() {
  %v = simd.iota : vector<4xi3>
  func.return
}

// -----

// CHECK: error: 'simd.load': a guard without conditions: leave it out
func.func @guard_of_nothing(%b : memref<8xf32>) {
  %v = "simd.load"(%b) <{indices = #loop.map<(0)>, guard = #loop.map<()>, pad = 0.0 : f32}> : (memref<8xf32>) -> vector<8xf32>
  func.return
}
