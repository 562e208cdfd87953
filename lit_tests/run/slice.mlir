// RUN: stepwell run %s --values

// NumPy's indexing.
// VALUE: part([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) = [2, 3, 4]
func.func @part(%x : tensor<10xi32>) -> tensor<3xi32> {
  %r = graph.slice %x [2:5] : tensor<10xi32> -> tensor<3xi32>
  func.return %r : tensor<3xi32>
}
// VALUE: from_the_end([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) = [7, 8, 9]
func.func @from_the_end(%x : tensor<10xi32>) -> tensor<3xi32> {
  %r = graph.slice %x [-3:] : tensor<10xi32> -> tensor<3xi32>
  func.return %r : tensor<3xi32>
}
// VALUE: up_to_the_end([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) = [0, 1]
func.func @up_to_the_end(%x : tensor<10xi32>) -> tensor<2xi32> {
  %r = graph.slice %x [:-8] : tensor<10xi32> -> tensor<2xi32>
  func.return %r : tensor<2xi32>
}
// VALUE: steps([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) = [1, 4, 7]
func.func @steps(%x : tensor<10xi32>) -> tensor<3xi32> {
  %r = graph.slice %x [1:9:3] : tensor<10xi32> -> tensor<3xi32>
  func.return %r : tensor<3xi32>
}
// VALUE: backwards([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
func.func @backwards(%x : tensor<10xi32>) -> tensor<10xi32> {
  %r = graph.slice %x [::-1] : tensor<10xi32> -> tensor<10xi32>
  func.return %r : tensor<10xi32>
}
// VALUE: backwards_steps([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) = [8, 5, 2]
func.func @backwards_steps(%x : tensor<10xi32>) -> tensor<3xi32> {
  %r = graph.slice %x [8:1:-3] : tensor<10xi32> -> tensor<3xi32>
  func.return %r : tensor<3xi32>
}
// VALUE: from_behind_backwards([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) = [8, 6, 4]
func.func @from_behind_backwards(%x : tensor<10xi32>) -> tensor<3xi32> {
  %r = graph.slice %x [-2:-7:-2] : tensor<10xi32> -> tensor<3xi32>
  func.return %r : tensor<3xi32>
}
// VALUE: beyond([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) = [5, 6, 7, 8, 9]
func.func @beyond(%x : tensor<10xi32>) -> tensor<5xi32> {
  %r = graph.slice %x [5:100] : tensor<10xi32> -> tensor<5xi32>
  func.return %r : tensor<5xi32>
}
// VALUE: before([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) = [0, 1]
func.func @before(%x : tensor<10xi32>) -> tensor<2xi32> {
  %r = graph.slice %x [-100:2] : tensor<10xi32> -> tensor<2xi32>
  func.return %r : tensor<2xi32>
}
// VALUE: beyond_backwards([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) = [9, 8, 7, 6]
func.func @beyond_backwards(%x : tensor<10xi32>) -> tensor<4xi32> {
  %r = graph.slice %x [100:5:-1] : tensor<10xi32> -> tensor<4xi32>
  func.return %r : tensor<4xi32>
}
// VALUE: to_before_the_start([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) = [3, 2, 1, 0]
func.func @to_before_the_start(%x : tensor<10xi32>) -> tensor<4xi32> {
  %r = graph.slice %x [3:-100:-1] : tensor<10xi32> -> tensor<4xi32>
  func.return %r : tensor<4xi32>
}
// VALUE: nothing([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) = []
func.func @nothing(%x : tensor<10xi32>) -> tensor<0xi32> {
  %r = graph.slice %x [5:5] : tensor<10xi32> -> tensor<0xi32>
  func.return %r : tensor<0xi32>
}
// VALUE: nothing_backwards([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) = []
func.func @nothing_backwards(%x : tensor<10xi32>) -> tensor<0xi32> {
  %r = graph.slice %x [2:5:-1] : tensor<10xi32> -> tensor<0xi32>
  func.return %r : tensor<0xi32>
}
// VALUE: whole([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
func.func @whole(%x : tensor<10xi32>) -> tensor<10xi32> {
  %r = graph.slice %x [:] : tensor<10xi32> -> tensor<10xi32>
  func.return %r : tensor<10xi32>
}
// VALUE: axes([[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]) = [[[7, 6, 5, 4], [11, 10, 9, 8]], [[19, 18, 17, 16], [23, 22, 21, 20]]]
func.func @axes(%x : tensor<2x3x4xi8>) -> tensor<2x2x4xi8> {
  %r = graph.slice %x [:, 1:3, ::-1] : tensor<2x3x4xi8> -> tensor<2x2x4xi8>
  func.return %r : tensor<2x2x4xi8>
}
// VALUE: one_of_each([[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]) = [[[20]]]
func.func @one_of_each(%x : tensor<2x3x4xi8>) -> tensor<1x1x1xi8> {
  %r = graph.slice %x [1:2, -1:, 0:1] : tensor<2x3x4xi8> -> tensor<1x1x1xi8>
  func.return %r : tensor<1x1x1xi8>
}
// VALUE: all_backwards([[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]) = [[[23, 21], [15, 13]], [[11, 9], [3, 1]]]
func.func @all_backwards(%x : tensor<2x3x4xi8>) -> tensor<2x2x2xi8> {
  %r = graph.slice %x [::-1, ::-2, -1:0:-2] : tensor<2x3x4xi8> -> tensor<2x2x2xi8>
  func.return %r : tensor<2x2x2xi8>
}
