// RUN: stepwell-opt %s -p eliminate-dead-symbols | filecheck %s

// CHECK-NOT:   @dead
// CHECK:       func.func private @called_by_called(
// CHECK-NEXT:    graph.relu
// CHECK:       func.func private @called(
// CHECK-NOT:   @dead
// CHECK:       func.func @main(
// CHECK-NEXT:    func.call @called(%x)
// CHECK:       func.func @another(
func.func private @dead(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @dead_too(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func private @called_by_called(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func private @called(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @called_by_called(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func private @dead_too(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @dead(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @main(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @called(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @another(%x : tensor<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}


// CHECK-NOT:  @unread
// CHECK:      loop.global @read
loop.global @unread : memref<1xf32> = #graph.array<[1.0] : tensor<1xf32>>
loop.global @read : memref<1xf32> = #graph.array<[2.0] : tensor<1xf32>>
func.func @reads_one(%y: memref<1xf32>) attributes {outputs_count = 1 : i64} {
  %g = loop.get_global @read : memref<1xf32>
  %v = loop.load %g[0] : f32
  loop.store %v, %y[0]
  func.return
}
