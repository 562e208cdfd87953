// RUN: stepwell run %s --values

// By hand: true is what is not zero, NaN and the least number too; true is 1.
// VALUE: f32_to_i1([0.0, -0.0, nan, 1e-45, -inf, 0.5]) = [False, False, True, True, True, True]
func.func @f32_to_i1(%x : tensor<6xf32>) -> tensor<6xi1> {
  %y = graph.cast %x : tensor<6xf32> -> tensor<6xi1>
  func.return %y : tensor<6xi1>
}
// VALUE: i64_to_i1([0, 4294967296, -1]) = [False, True, True]
func.func @i64_to_i1(%x : tensor<3xi64>) -> tensor<3xi1> {
  %y = graph.cast %x : tensor<3xi64> -> tensor<3xi1>
  func.return %y : tensor<3xi1>
}
// VALUE: ui8_to_i1([0, 128, 2]) = [False, True, True]
func.func @ui8_to_i1(%x : tensor<3xui8>) -> tensor<3xi1> {
  %y = graph.cast %x : tensor<3xui8> -> tensor<3xi1>
  func.return %y : tensor<3xi1>
}
// VALUE: bf16_to_i1([0, nan, -0.0, 1]) = [False, True, False, True]
func.func @bf16_to_i1(%x : tensor<4xbf16>) -> tensor<4xi1> {
  %y = graph.cast %x : tensor<4xbf16> -> tensor<4xi1>
  func.return %y : tensor<4xi1>
}
// VALUE: i1_to_f32([True, False]) = [1, 0]
func.func @i1_to_f32(%x : tensor<2xi1>) -> tensor<2xf32> {
  %y = graph.cast %x : tensor<2xi1> -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
// VALUE: i1_to_i8([True, False]) = [1, 0]
func.func @i1_to_i8(%x : tensor<2xi1>) -> tensor<2xi8> {
  %y = graph.cast %x : tensor<2xi1> -> tensor<2xi8>
  func.return %y : tensor<2xi8>
}
// VALUE: i1_to_ui64([True, False]) = [1, 0]
func.func @i1_to_ui64(%x : tensor<2xi1>) -> tensor<2xui64> {
  %y = graph.cast %x : tensor<2xi1> -> tensor<2xui64>
  func.return %y : tensor<2xui64>
}
// asin(5) is NaN where it is computed and where it is folded.
// VALUE: computed([5]) = [True], [True]
func.func @computed(%x : tensor<1xf32>) -> (tensor<1xi1>, tensor<1xi1>) {
  %five = graph.constant #graph.array<[5.0] : tensor<1xf32>>
  %a = graph.asin %x : tensor<1xf32>
  %b = graph.asin %five : tensor<1xf32>
  %y = graph.cast %a : tensor<1xf32> -> tensor<1xi1>
  %z = graph.cast %b : tensor<1xf32> -> tensor<1xi1>
  func.return %y, %z : tensor<1xi1>, tensor<1xi1>
}
