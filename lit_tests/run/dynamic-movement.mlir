// RUN: stepwell run %s --values

// By hand: sizes that follow from others by arithmetic.
// VALUE: flat([[1, 2], [3, 4], [5, 6]]) = [1, 2, 3, 4, 5, 6]
func.func @flat(%x : tensor<?x2xi32>) -> tensor<?xi32> {
  %y = graph.reshape %x to <?> : tensor<?x2xi32> -> tensor<?xi32>
  func.return %y : tensor<?xi32>
}
// VALUE: pairs([1, 2, 3, 4, 5, 6]) = [[1, 2], [3, 4], [5, 6]]
func.func @pairs(%x : tensor<?xi32>) -> tensor<?x2xi32> {
  %y = graph.reshape %x to <?, 2> : tensor<?xi32> -> tensor<?x2xi32>
  func.return %y : tensor<?x2xi32>
}
// VALUE: turned([[1, 2, 3], [4, 5, 6]]) = [[1, 4], [2, 5], [3, 6]]
func.func @turned(%x : tensor<?x?xi32>) -> tensor<?x?xi32> {
  %y = graph.permute_dims %x [1, 0] : tensor<?x?xi32> -> tensor<?x?xi32>
  func.return %y : tensor<?x?xi32>
}
// VALUE: ends([1, 2, 3, 4, 5]) = [4, 5], [5, 3, 1], [2, 3, 4]
// VALUE: ends([1, 2]) = [1, 2], [2], []
// VALUE: ends([1]) = [1], [1], []
// VALUE: ends([]) = [], [], []
func.func @ends(%x : tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %a = graph.slice %x [-2:] : tensor<?xi32> -> tensor<?xi32>
  %b = graph.slice %x [::-2] : tensor<?xi32> -> tensor<?xi32>
  %c = graph.slice %x [1:-1] : tensor<?xi32> -> tensor<?xi32>
  func.return %a, %b, %c : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}
// VALUE: padded([1, 2]) = [0, 1, 2, 0, 0], [1, 1, 2, 2, 2], [2, 1, 2, 1, 2]
func.func @padded(%x : tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %a = graph.pad %x [1] [2] constant(0 : i32) : tensor<?xi32> -> tensor<?xi32>
  %b = graph.pad %x [1] [2] edge : tensor<?xi32> -> tensor<?xi32>
  %c = graph.pad %x [1] [2] reflect : tensor<?xi32> -> tensor<?xi32>
  func.return %a, %b, %c : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}
// VALUE: repeated([[1], [2]], [7, 8, 9]) = [[1, 1, 1], [2, 2, 2]]
func.func @repeated(%x : tensor<?x1xi32, #graph.dims<n, 1>>, %y : tensor<?xi32, #graph.dims<m>>) -> tensor<?x?xi32> {
  %r = graph.broadcast_to %x to <n, m> : tensor<?x1xi32, #graph.dims<n, 1>> -> tensor<?x?xi32>
  func.return %r : tensor<?x?xi32>
}
