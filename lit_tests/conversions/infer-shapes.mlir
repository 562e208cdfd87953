// RUN: stepwell-opt %s -p infer-shapes --split-input-file | filecheck %s

// CHECK-LABEL: @dense(
// CHECK-SAME:      %x: tensor<?x784xf32, #graph.dims<x_0, 784>>
// CHECK-SAME:      -> tensor<?x10xf32, #graph.dims<x_0, 10>>
// CHECK-NEXT:    %h = graph.matmul %x, %w : {{.*}} -> tensor<?x10xf32, #graph.dims<x_0, 10>>
// CHECK-NEXT:    %y = graph.add %h, %b : {{.*}} -> tensor<?x10xf32, #graph.dims<x_0, 10>>
// CHECK-NEXT:    func.return %y : tensor<?x10xf32, #graph.dims<x_0, 10>>
func.func @dense(%x : tensor<?x784xf32>, %w : tensor<784x10xf32>, %b : tensor<10xf32>) -> tensor<?x10xf32> {
  %h = graph.matmul %x, %w : tensor<?x784xf32>, tensor<784x10xf32> -> tensor<?x10xf32>
  %y = graph.add %h, %b : tensor<?x10xf32>, tensor<10xf32> -> tensor<?x10xf32>
  func.return %y : tensor<?x10xf32>
}

// -----

// A name that is given stays; what has to be equal to it takes it.
// CHECK-LABEL: @keeps_names(
// CHECK-SAME:      %y: tensor<?x4xf32, #graph.dims<batch, 4>>
// CHECK-SAME:      %x: tensor<?x4xf32, #graph.dims<batch, 4>>
// CHECK-NEXT:    graph.concat {{.*}} -> tensor<?x8xf32, #graph.dims<batch, 8>>
func.func @keeps_names(%y : tensor<?x4xf32>, %x : tensor<?x4xf32, #graph.dims<batch, 4>>) -> tensor<?x8xf32> {
  %z = graph.concat %x, %y axis 1 : tensor<?x4xf32, #graph.dims<batch, 4>>, tensor<?x4xf32> -> tensor<?x8xf32>
  func.return %z : tensor<?x8xf32>
}

// -----

// Two anonymous dims are two sizes as long as nothing makes them equal.
// CHECK-LABEL: @two_sizes(
// CHECK-SAME:      %x: tensor<?x?xf32, #graph.dims<x_0, x_1>>, %y: tensor<?xf32, #graph.dims<y_0>>
// CHECK-NEXT:    graph.reshape %{{.*}} -> tensor<?xf32, #graph.dims<x_0 * x_1>>
// CHECK-NEXT:    graph.concat %{{.*}} -> tensor<?xf32, #graph.dims<x_0 * x_1 + y_0>>
func.func @two_sizes(%x : tensor<?x?xf32>, %y : tensor<?xf32>) -> tensor<?xf32> {
  %f = graph.reshape %x to <?> : tensor<?x?xf32> -> tensor<?xf32>
  %z = graph.concat %f, %y axis 0 : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  func.return %z : tensor<?xf32>
}

// -----

// A size that another op makes a number is that number from the first op on, and a broadcast may then be one.
// CHECK-LABEL: @binds_numbers(
// CHECK-SAME:      %x: tensor<1x8xf32>, %y: tensor<?x8xf32, #graph.dims<y_0, 8>>
// CHECK-NEXT:    graph.add %x, %y : tensor<1x8xf32>, tensor<?x8xf32, #graph.dims<y_0, 8>> -> tensor<?x8xf32, #graph.dims<y_0, 8>>
// CHECK-NEXT:    graph.reshape %x to <8> : tensor<1x8xf32> -> tensor<8xf32>
func.func @binds_numbers(%x : tensor<?x8xf32>, %y : tensor<?x8xf32>) -> tensor<?x8xf32> {
  %z = graph.add %x, %y : tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
  %r = graph.reshape %x to <8> : tensor<?x8xf32> -> tensor<8xf32>
  func.return %z : tensor<?x8xf32>
}

// -----

// What broadcasts and is not known to be 1 is taken to be equal.
// CHECK-LABEL: @broadcast(
// CHECK-SAME:      %x: tensor<?x4xf32, #graph.dims<x_0, 4>>, %y: tensor<?x4xf32, #graph.dims<x_0, 4>>
func.func @broadcast(%x : tensor<?x?xf32>, %y : tensor<?x4xf32>) -> tensor<?x4xf32> {
  %z = graph.multiply %x, %y : tensor<?x?xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
  func.return %z : tensor<?x4xf32>
}

// -----

// Names do not run into those that are taken; sizes in attributes are renamed with the types.
// CHECK-LABEL: @renames_targets(
// CHECK-SAME:      %x: tensor<?xf32, #graph.dims<x_0_1>>, %y: tensor<?xf32, #graph.dims<x_0>>
// CHECK-NEXT:    graph.broadcast_to %x to <x_0, d0> : {{.*}} -> tensor<?x?xf32, #graph.dims<x_0, x_0_1>>
// CHECK-NEXT:    graph.broadcast_to %x to <3, d0> : {{.*}} -> tensor<3x?xf32, #graph.dims<3, x_0_1>>
func.func @renames_targets(%x : tensor<?xf32>, %y : tensor<?xf32, #graph.dims<x_0>>, %k : tensor<?xf32, #graph.dims<k>>, %three : tensor<3xf32>) {
  %a = graph.broadcast_to %x to <x_0, d0> : tensor<?xf32> -> tensor<?x?xf32>
  %b = graph.broadcast_to %x to <k, d0> : tensor<?xf32> -> tensor<?x?xf32>
  %c = graph.concat %k, %three axis 0 : tensor<?xf32, #graph.dims<k>>, tensor<3xf32> -> tensor<?xf32>
  %s = graph.matmul %k, %three : tensor<?xf32, #graph.dims<k>>, tensor<3xf32> -> tensor<f32>
  func.return
}

// -----

// A private function takes the types of its call.
// CHECK-LABEL: @callee(
// CHECK-SAME:      %a: tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n * 2>>
func.func private @callee(%a : tensor<?xf32>) -> tensor<?xf32> {
  %b = graph.concat %a, %a axis 0 : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  func.return %b : tensor<?xf32>
}
// CHECK-LABEL: @caller(
// CHECK:         func.call @callee(%{{.*}}) : (tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n * 2>>
func.func @caller(%0 : tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32> {
  %x = graph.reshape %0 to <?> : tensor<?xf32, #graph.dims<n>> -> tensor<?xf32>
  %1 = func.call @callee(%x) : (tensor<?xf32>) -> tensor<?xf32>
  func.return %1 : tensor<?xf32>
}

// -----

// Nothing to infer: nothing changes.
// CHECK-LABEL: @static(%x: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %y = graph.relu %x : tensor<4xf32>
// CHECK-NEXT:    func.return %y : tensor<4xf32>
func.func @static(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: @of_buffers(%x: memref<?xf32>) {
func.func @of_buffers(%x : memref<?xf32>) {
  func.return
}
