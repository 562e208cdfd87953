// RUN: stepwell run %s --values

// By hand: sums and products wrap in the type; a mean of integers adds up in 64 bits and divides toward zero; halves add up in f32.
// VALUE: sum_i8([100, 100, -128]) = 72
func.func @sum_i8(%x : tensor<3xi8>) -> tensor<i8> {
  %r = graph.sum %x [0] : tensor<3xi8> -> tensor<i8>
  func.return %r : tensor<i8>
}
// VALUE: sum_ui8([200, 100]) = 44
func.func @sum_ui8(%x : tensor<2xui8>) -> tensor<ui8> {
  %r = graph.sum %x [0] : tensor<2xui8> -> tensor<ui8>
  func.return %r : tensor<ui8>
}
// VALUE: prod_i32([65536, 65536, 3]) = 0
func.func @prod_i32(%x : tensor<3xi32>) -> tensor<i32> {
  %r = graph.prod %x [0] : tensor<3xi32> -> tensor<i32>
  func.return %r : tensor<i32>
}
// VALUE: prod_i64([3037000500, 3037000500]) = -9223372036709301616
func.func @prod_i64(%x : tensor<2xi64>) -> tensor<i64> {
  %r = graph.prod %x [0] : tensor<2xi64> -> tensor<i64>
  func.return %r : tensor<i64>
}
// VALUE: mean_i8([100, 100, 101]) = 100
func.func @mean_i8(%x : tensor<3xi8>) -> tensor<i8> {
  %r = graph.mean %x [0] : tensor<3xi8> -> tensor<i8>
  func.return %r : tensor<i8>
}
// VALUE: mean_i32([-7, 0]) = -3
func.func @mean_i32(%x : tensor<2xi32>) -> tensor<i32> {
  %r = graph.mean %x [0] : tensor<2xi32> -> tensor<i32>
  func.return %r : tensor<i32>
}
// VALUE: mean_ui8([255, 255, 255]) = 255
func.func @mean_ui8(%x : tensor<3xui8>) -> tensor<ui8> {
  %r = graph.mean %x [0] : tensor<3xui8> -> tensor<ui8>
  func.return %r : tensor<ui8>
}
// VALUE: max_i8([-128, -1, -5]) = -1
func.func @max_i8(%x : tensor<3xi8>) -> tensor<i8> {
  %r = graph.max %x [0] : tensor<3xi8> -> tensor<i8>
  func.return %r : tensor<i8>
}
// VALUE: max_ui32([1, 4294967295, 2147483648]) = 4294967295
func.func @max_ui32(%x : tensor<3xui32>) -> tensor<ui32> {
  %r = graph.max %x [0] : tensor<3xui32> -> tensor<ui32>
  func.return %r : tensor<ui32>
}
// VALUE: min_ui64([9223372036854775808, 5, 18446744073709551615]) = 5
func.func @min_ui64(%x : tensor<3xui64>) -> tensor<ui64> {
  %r = graph.min %x [0] : tensor<3xui64> -> tensor<ui64>
  func.return %r : tensor<ui64>
}
// VALUE: any([[True, False], [False, False]]) = [True, False]
func.func @any(%x : tensor<2x2xi1>) -> tensor<2xi1> {
  %r = graph.max %x [1] : tensor<2x2xi1> -> tensor<2xi1>
  func.return %r : tensor<2xi1>
}
// VALUE: every([[True, False], [True, True]]) = [False, True]
func.func @every(%x : tensor<2x2xi1>) -> tensor<2xi1> {
  %r = graph.min %x [1] : tensor<2x2xi1> -> tensor<2xi1>
  func.return %r : tensor<2xi1>
}
// VALUE: sum_f16([2048, 1, 1]) = 2050
func.func @sum_f16(%x : tensor<3xf16>) -> tensor<f16> {
  %r = graph.sum %x [0] : tensor<3xf16> -> tensor<f16>
  func.return %r : tensor<f16>
}
// VALUE: mean_f16([60000, 60000, 60000, 60000]) = 60000
func.func @mean_f16(%x : tensor<4xf16>) -> tensor<f16> {
  %r = graph.mean %x [0] : tensor<4xf16> -> tensor<f16>
  func.return %r : tensor<f16>
}
// VALUE: sum_bf16([256, 1, 1]) = 258
func.func @sum_bf16(%x : tensor<3xbf16>) -> tensor<bf16> {
  %r = graph.sum %x [0] : tensor<3xbf16> -> tensor<bf16>
  func.return %r : tensor<bf16>
}
// VALUE: sum_f64([9007199254740992, 1, 1]) = 9007199254740992
func.func @sum_f64(%x : tensor<3xf64>) -> tensor<f64> {
  %r = graph.sum %x [0] : tensor<3xf64> -> tensor<f64>
  func.return %r : tensor<f64>
}
