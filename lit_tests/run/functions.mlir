// RUN: stepwell run %s --values

// By hand: functions of tensors that call each other, dataflow blocks, and a loop function that is called with its destination.
// VALUE: main([-1, 2, 3]) = [1, 7, 10], [0, 2, 3]
func.func @main(%x : tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %r = func.call @relu(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %y = func.call @three_times_plus_one(%r) : (tensor<3xf32>) -> tensor<3xf32>
  func.return %y, %r : tensor<3xf32>, tensor<3xf32>
}
func.func private @relu(%x : tensor<3xf32>) -> tensor<3xf32> {
  %y = graph.relu %x : tensor<3xf32>
  func.return %y : tensor<3xf32>
}
func.func private @three_times_plus_one(%x : tensor<3xf32>) -> tensor<3xf32> {
  %one = graph.constant #graph.array<1.0 : tensor<f32>>
  %0 = graph.add %x, %x : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %1 = graph.add %0, %x : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %2 = graph.add %1, %one : tensor<3xf32>, tensor<f32> -> tensor<3xf32>
  func.return %2 : tensor<3xf32>
}
// The same function twice: each call has results of its own.
// VALUE: calls_twice([-1, 2, 3], [4, -5, 6]) = [0, 2, 3], [4, 0, 6]
func.func @calls_twice(%x : tensor<3xf32>, %y : tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %a = func.call @relu(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %b = func.call @relu(%y) : (tensor<3xf32>) -> tensor<3xf32>
  func.return %a, %b : tensor<3xf32>, tensor<3xf32>
}
// VALUE: dataflow([1, -2]) = [-1, 2], [2, 0]
func.func @dataflow(%x : tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %n, %d = graph.dataflow -> tensor<2xf32>, tensor<2xf32> {
    %r = graph.relu %x : tensor<2xf32>
    %a = graph.negate %x : tensor<2xf32>
    %b = graph.add %r, %r : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
    graph.output %a, %b : tensor<2xf32>, tensor<2xf32>
  }
  func.return %n, %d : tensor<2xf32>, tensor<2xf32>
}
