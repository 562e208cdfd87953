// RUN: stepwell run %s --values

// By hand.
// VALUE: constant([[1, 2, 3], [4, 5, 6]]) = [[9, 9, 9, 9, 9, 9], [9, 1, 2, 3, 9, 9], [9, 4, 5, 6, 9, 9]]
func.func @constant(%x : tensor<2x3xi32>) -> tensor<3x6xi32> {
  %r = graph.pad %x [1, 1] [0, 2] constant(9 : i32) : tensor<2x3xi32> -> tensor<3x6xi32>
  func.return %r : tensor<3x6xi32>
}
// VALUE: with_nan([1, -0.0]) = [nan, 1, -0.0, nan]
func.func @with_nan(%x : tensor<2xf32>) -> tensor<4xf32> {
  %r = graph.pad %x [1] [1] constant(0x7fc00000 : f32) : tensor<2xf32> -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
// Negative amounts take away.
// VALUE: takes_away([1, 2, 3, 4, 5]) = [3, 4]
func.func @takes_away(%x : tensor<5xi32>) -> tensor<2xi32> {
  %r = graph.pad %x [-2] [-1] constant(0 : i32) : tensor<5xi32> -> tensor<2xi32>
  func.return %r : tensor<2xi32>
}
// VALUE: takes_and_adds([1, 2, 3, 4, 5]) = [3, 4, 5, 7, 7]
func.func @takes_and_adds(%x : tensor<5xi32>) -> tensor<5xi32> {
  %r = graph.pad %x [-2] [2] constant(7 : i32) : tensor<5xi32> -> tensor<5xi32>
  func.return %r : tensor<5xi32>
}
// VALUE: edge_takes([1, 2, 3, 4, 5]) = [3, 4, 5, 5, 5]
func.func @edge_takes(%x : tensor<5xi32>) -> tensor<5xi32> {
  %r = graph.pad %x [-2] [2] edge : tensor<5xi32> -> tensor<5xi32>
  func.return %r : tensor<5xi32>
}
// VALUE: truth([True]) = [False, True, False]
func.func @truth(%x : tensor<1xi1>) -> tensor<3xi1> {
  %r = graph.pad %x [1] [1] constant(false) : tensor<1xi1> -> tensor<3xi1>
  func.return %r : tensor<3xi1>
}
// NumPy's pad; amounts beyond the axis go back and forth, or around again.
// VALUE: edge([[1, 2, 3], [4, 5, 6]]) = [[1, 1, 1, 2, 3, 3], [1, 1, 1, 2, 3, 3], [4, 4, 4, 5, 6, 6], [4, 4, 4, 5, 6, 6]]
func.func @edge(%x : tensor<2x3xi32>) -> tensor<4x6xi32> {
  %r = graph.pad %x [1, 2] [1, 1] edge : tensor<2x3xi32> -> tensor<4x6xi32>
  func.return %r : tensor<4x6xi32>
}
// VALUE: reflect([[1, 2, 3], [4, 5, 6]]) = [[6, 5, 4, 5, 6, 5], [3, 2, 1, 2, 3, 2], [6, 5, 4, 5, 6, 5], [3, 2, 1, 2, 3, 2]]
func.func @reflect(%x : tensor<2x3xi32>) -> tensor<4x6xi32> {
  %r = graph.pad %x [1, 2] [1, 1] reflect : tensor<2x3xi32> -> tensor<4x6xi32>
  func.return %r : tensor<4x6xi32>
}
// VALUE: wrap([[1, 2, 3], [4, 5, 6]]) = [[5, 6, 4, 5, 6, 4], [2, 3, 1, 2, 3, 1], [5, 6, 4, 5, 6, 4], [2, 3, 1, 2, 3, 1]]
func.func @wrap(%x : tensor<2x3xi32>) -> tensor<4x6xi32> {
  %r = graph.pad %x [1, 2] [1, 1] wrap : tensor<2x3xi32> -> tensor<4x6xi32>
  func.return %r : tensor<4x6xi32>
}
// VALUE: far_reflect([0, 1, 2]) = [1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0]
func.func @far_reflect(%x : tensor<3xi32>) -> tensor<16xi32> {
  %r = graph.pad %x [7] [6] reflect : tensor<3xi32> -> tensor<16xi32>
  func.return %r : tensor<16xi32>
}
// VALUE: far_wrap([0, 1, 2]) = [2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1]
func.func @far_wrap(%x : tensor<3xi32>) -> tensor<15xi32> {
  %r = graph.pad %x [7] [5] wrap : tensor<3xi32> -> tensor<15xi32>
  func.return %r : tensor<15xi32>
}
// VALUE: one_reflect([5]) = [5, 5, 5, 5, 5]
func.func @one_reflect(%x : tensor<1xi32>) -> tensor<5xi32> {
  %r = graph.pad %x [2] [2] reflect : tensor<1xi32> -> tensor<5xi32>
  func.return %r : tensor<5xi32>
}
