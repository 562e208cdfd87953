// RUN: stepwell run %s --values

// NumPy's concatenate.
// VALUE: rows([[1, 2]], [[3, 4], [5, 6]]) = [[1, 2], [3, 4], [5, 6]]
func.func @rows(%a : tensor<1x2xf32>, %b : tensor<2x2xf32>) -> tensor<3x2xf32> {
  %r = graph.concat %a, %b axis 0 : tensor<1x2xf32>, tensor<2x2xf32> -> tensor<3x2xf32>
  func.return %r : tensor<3x2xf32>
}
// VALUE: columns([[1], [2]], [[3, 4], [5, 6]]) = [[1, 3, 4], [2, 5, 6]]
func.func @columns(%a : tensor<2x1xf32>, %b : tensor<2x2xf32>) -> tensor<2x3xf32> {
  %r = graph.concat %a, %b axis 1 : tensor<2x1xf32>, tensor<2x2xf32> -> tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}
// VALUE: middle([[[1, 2]]], [[[3, 4], [5, 6]]], [[[7, 8]]]) = [[[1, 2], [3, 4], [5, 6], [7, 8]]]
func.func @middle(%a : tensor<1x1x2xi16>, %b : tensor<1x2x2xi16>, %c : tensor<1x1x2xi16>) -> tensor<1x4x2xi16> {
  %r = graph.concat %a, %b, %c axis 1 : tensor<1x1x2xi16>, tensor<1x2x2xi16>, tensor<1x1x2xi16> -> tensor<1x4x2xi16>
  func.return %r : tensor<1x4x2xi16>
}
// VALUE: truth([True], [False, True]) = [True, False, True]
func.func @truth(%a : tensor<1xi1>, %b : tensor<2xi1>) -> tensor<3xi1> {
  %r = graph.concat %a, %b axis 0 : tensor<1xi1>, tensor<2xi1> -> tensor<3xi1>
  func.return %r : tensor<3xi1>
}
// VALUE: itself([1, nan]) = [1, nan, 1, nan, 1, nan]
func.func @itself(%x : tensor<2xf32>) -> tensor<6xf32> {
  %y = graph.concat %x, %x, %x axis 0 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32> -> tensor<6xf32>
  func.return %y : tensor<6xf32>
}
// VALUE: alone([1, -0.0]) = [1, -0.0]
func.func @alone(%x : tensor<2xf32>) -> tensor<2xf32> {
  %r = graph.concat %x axis 0 : tensor<2xf32> -> tensor<2xf32>
  func.return %r : tensor<2xf32>
}
// relu moves above a concat, and what reads the concat too must not see it.
// VALUE: relu_after([-1, 2], [3, -4]) = [0, 2, 3, 0], [-1, 2, 3, -4]
func.func @relu_after(%a : tensor<2xf32>, %b : tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = graph.concat %a, %b axis 0 : tensor<2xf32>, tensor<2xf32> -> tensor<4xf32>
  %y = graph.relu %c : tensor<4xf32>
  func.return %y, %c : tensor<4xf32>, tensor<4xf32>
}
// VALUE: relu_only([-1, 2], [3, -4]) = [0, 2, 3, 0]
func.func @relu_only(%a : tensor<2xf32>, %b : tensor<2xf32>) -> tensor<4xf32> {
  %c = graph.concat %a, %b axis 0 : tensor<2xf32>, tensor<2xf32> -> tensor<4xf32>
  %y = graph.relu %c : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
