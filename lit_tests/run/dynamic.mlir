// RUN: stepwell run %s --values

// By hand: sizes that are known only when it runs, 0 and 1 among them.
// VALUE: rows([[1, -2, 3]]) = [[2, 0, 6]]
// VALUE: rows([]) = []
// VALUE: rows([[1, 2, 3], [-1, -2, -3], [0, 5, -5]]) = [[2, 4, 6], [0, 0, 0], [0, 10, 0]]
func.func @rows(%x : tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = graph.relu %x : tensor<?x3xf32>
  %y = graph.add %r, %r : tensor<?x3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  func.return %y : tensor<?x3xf32>
}
// VALUE: dense([[1, 2], [3, 4], [5, 6]]) = [[6, 12], [12, 24], [18, 36]]
// VALUE: dense([]) = []
func.func @dense(%x : tensor<?x2xf32>) -> tensor<?x2xf32> {
  %w = graph.constant #graph.array<[[1.0, 2.0], [2.0, 4.0]] : tensor<2x2xf32>>
  %b = graph.constant #graph.array<[1.0, 2.0] : tensor<2xf32>>
  %m = graph.matmul %x, %w : tensor<?x2xf32>, tensor<2x2xf32> -> tensor<?x2xf32>
  %y = graph.add %m, %b : tensor<?x2xf32>, tensor<2xf32> -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}
// VALUE: product([[1, 2, 3]], [[1], [2], [3]]) = [[14]]
// VALUE: product([[1], [2]], [[3, 4]]) = [[3, 4], [6, 8]]
func.func @product(%a : tensor<?x?xf32, #graph.dims<m, k>>, %b : tensor<?x?xf32, #graph.dims<k, n>>) -> tensor<?x?xf32> {
  %y = graph.matmul %a, %b : tensor<?x?xf32, #graph.dims<m, k>>, tensor<?x?xf32, #graph.dims<k, n>> -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
// VALUE: joined([1, 2], [3]) = [3, 1, 2, 3, 2, 1]
// VALUE: joined([], [3]) = [3, 3]
func.func @joined(%a : tensor<?xf32, #graph.dims<n>>, %b : tensor<?xf32, #graph.dims<m>>) -> tensor<?xf32> {
  %r = graph.slice %a [::-1] : tensor<?xf32, #graph.dims<n>> -> tensor<?xf32>
  %c = graph.concat %b, %a, %b, %r axis 0 : tensor<?xf32, #graph.dims<m>>, tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<m>>, tensor<?xf32> -> tensor<?xf32>
  func.return %c : tensor<?xf32>
}
// VALUE: sums([[1, 2, 3], [4, 5, 6]]) = [5, 7, 9], [6, 15], 21
// VALUE: sums([[7]]) = [7], [7], 7
func.func @sums(%x : tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<f32>) {
  %a = graph.sum %x [0] : tensor<?x?xf32> -> tensor<?xf32>
  %b = graph.sum %x [1] : tensor<?x?xf32> -> tensor<?xf32>
  %c = graph.sum %x [0, 1] : tensor<?x?xf32> -> tensor<f32>
  func.return %a, %b, %c : tensor<?xf32>, tensor<?xf32>, tensor<f32>
}
