// RUN: stepwell run %s --values

// By hand: what is returned, how often, and in which order.
// VALUE: twice([-1, 2]) = [0, 2], [0, 2], [1, -2]
func.func @twice(%x : tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %y = graph.relu %x : tensor<2xf32>
  %z = graph.negate %x : tensor<2xf32>
  func.return %y, %y, %z : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
// VALUE: argument([1, nan, -0.0]) = [1, nan, -0.0]
func.func @argument(%x : tensor<3xf32>) -> tensor<3xf32> {
  func.return %x : tensor<3xf32>
}
// VALUE: arguments([1, 2], [3, 4]) = [3, 4], [1, 2], [3, 4]
func.func @arguments(%x : tensor<2xi8>, %y : tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  func.return %y, %x, %y : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}
// VALUE: constant([1]) = [5, 6], [5, 6]
func.func @constant(%x : tensor<1xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c = graph.constant #graph.array<[5.0, 6.0] : tensor<2xf32>>
  func.return %c, %c : tensor<2xf32>, tensor<2xf32>
}
// VALUE: same_argument_twice([3, -4]) = [9, 16]
func.func @same_argument_twice(%x : tensor<2xf32>) -> tensor<2xf32> {
  %y = graph.multiply %x, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
// An output that is read again by what follows.
// VALUE: read_again([1, -2]) = [2, -4], [4, -8]
func.func @read_again(%x : tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %y = graph.add %x, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %z = graph.add %y, %y : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  func.return %y, %z : tensor<2xf32>, tensor<2xf32>
}
// Different types and shapes.
// VALUE: mixed([1.5, -2.5]) = [1, -2], [False, True], -1.0
func.func @mixed(%x : tensor<2xf32>) -> (tensor<2xi32>, tensor<2xi1>, tensor<f32>) {
  %z = graph.constant #graph.array<0.0 : tensor<f32>>
  %a = graph.cast %x : tensor<2xf32> -> tensor<2xi32>
  %b = graph.less %x, %z : tensor<2xf32>, tensor<f32> -> tensor<2xi1>
  %c = graph.sum %x [0] : tensor<2xf32> -> tensor<f32>
  func.return %a, %b, %c : tensor<2xi32>, tensor<2xi1>, tensor<f32>
}
// An argument that nothing reads.
// VALUE: unread([1], [2]) = [1]
func.func @unread(%x : tensor<1xf32>, %y : tensor<1xf32>) -> tensor<1xf32> {
  %r = graph.abs %x : tensor<1xf32>
  func.return %r : tensor<1xf32>
}
