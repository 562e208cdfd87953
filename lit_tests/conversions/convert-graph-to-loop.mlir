// RUN: stepwell-opt %s -p convert-graph-to-loop | filecheck %s

// Rows A35, A37, A39. The op is a call of a loop function with a destination type; the function takes the inputs, then the
// output; its block has two spatial axes and one to reduce over, an init, and its accesses.
// CHECK-LABEL: func.func @matmul_of_two
// CHECK-NEXT:    %{{.*}} = graph.call_tir @matmul(%a, %b) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
func.func @matmul_of_two(%a : tensor<4x8xf32>, %b : tensor<8x2xf32>) -> tensor<4x2xf32> {
  %c = graph.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  func.return %c : tensor<4x2xf32>
}

// A constant is no computation and stays; a call of a function stays; a dataflow scope is dissolved.
// CHECK-LABEL: func.func @stays
// CHECK-NEXT:    %{{.*}} = graph.constant
// CHECK-NEXT:    %{{.*}} = func.call @matmul_of_two
// CHECK-NEXT:    %{{.*}} = graph.call_tir @relu(
// CHECK-NEXT:    func.return
func.func @stays(%a : tensor<4x8xf32>) -> tensor<4x2xf32> {
  %y = graph.dataflow -> tensor<4x2xf32> {
    %b = graph.constant #graph.array<[[1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0]] : tensor<8x2xf32>>
    %c = func.call @matmul_of_two(%a, %b) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %d = graph.relu %c : tensor<4x2xf32>
    graph.output %d : tensor<4x2xf32>
  }
  func.return %y : tensor<4x2xf32>
}

// Rows A36. One function per op and shapes, whoever calls it: the second relu of this shape is the first one.
// CHECK-LABEL: func.func @shares
// CHECK-NEXT:    graph.call_tir @relu(%x)
// CHECK-NEXT:    graph.call_tir @relu1(%y)
// CHECK-NEXT:    graph.call_tir @transpose(
// CHECK-NEXT:    graph.call_tir @transpose1(
func.func @shares(%x : tensor<4x2xf32>, %y : tensor<3xf32>) -> (tensor<4x2xf32>, tensor<3xf32>) {
  %a = graph.relu %x : tensor<4x2xf32>
  %b = graph.relu %y : tensor<3xf32>
  %c = graph.permute_dims %a [1, 0] : tensor<4x2xf32> -> tensor<2x4xf32>
  %d = graph.permute_dims %c [1, 0] : tensor<2x4xf32> -> tensor<4x2xf32>
  func.return %d, %b : tensor<4x2xf32>, tensor<3xf32>
}

// Names of symbols do not matter: both calls go to one function, and say what its `index` argument is.
// CHECK-LABEL: func.func @dynamic
// CHECK:         graph.call_tir @add(%x, %b) dims [batch]
// CHECK:         graph.call_tir @add(%y, %b) dims [rows]
func.func @dynamic(%x : tensor<?x4xf32, #graph.dims<batch, 4>>, %y : tensor<?x4xf32, #graph.dims<rows, 4>>, %b : tensor<4xf32>)
    -> (tensor<?x4xf32, #graph.dims<batch, 4>>, tensor<?x4xf32, #graph.dims<rows, 4>>) {
  %u = graph.add %x, %b : tensor<?x4xf32, #graph.dims<batch, 4>>, tensor<4xf32> -> tensor<?x4xf32, #graph.dims<batch, 4>>
  %v = graph.add %y, %b : tensor<?x4xf32, #graph.dims<rows, 4>>, tensor<4xf32> -> tensor<?x4xf32, #graph.dims<rows, 4>>
  func.return %u, %v : tensor<?x4xf32, #graph.dims<batch, 4>>, tensor<?x4xf32, #graph.dims<rows, 4>>
}

// CHECK-LABEL: func.func private @matmul(
// Rows A38. Nothing aliases, the weight may be laid out anew.
// CHECK-SAME:    %lhs: memref<4x8xf32>, %rhs: memref<8x2xf32>, %out: memref<4x2xf32>) attributes {outputs_count = 1 : i64, noalias, layout_free = [1 : i64]}
// CHECK-NEXT:    loop.for "i" %i = 0 to 4 {
// CHECK-NEXT:      loop.for "j" %j = 0 to 2 {
// CHECK-NEXT:        loop.for "k" %k = 0 to 8 {
// CHECK-NEXT:          loop.block "matmul" (%vi : spatial = %i, %vj : spatial = %j, %vk : reduce = %k)
// CHECK-NEXT:              reads(%[[A:.*]] = %lhs[%vi, %vk], %[[B:.*]] = %rhs[%vk, %vj])
// CHECK-NEXT:              writes(%[[OLD:.*]] = %out[%vi, %vj]) init {
// CHECK-NEXT:            %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:            loop.yield %[[ZERO]]
// CHECK-NEXT:          } {
// CHECK-NEXT:            %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK-NEXT:            %[[S:.*]] = arith.addf %[[OLD]], %[[P]] : f32
// CHECK-NEXT:            loop.yield %[[S]]

// Rows A38. Relu is the larger of the element and 0, so that NaN passes.
// CHECK-LABEL: func.func private @relu(
// CHECK:           %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      arith.maximumf %{{.*}}, %[[ZERO]] : f32

// Rows A38. A transpose swaps indices.
// CHECK-LABEL: func.func private @transpose(
// CHECK:           reads(%{{.*}} = %input[%vax1, %vax0])
// CHECK-NEXT:      writes(%out[%vax0, %vax1])

// Rows A38. The bias is read by its last index only. Dynamic buffers say their dims.
// CHECK-LABEL: func.func private @add(
// CHECK-SAME:    %batch: index, %lhs: memref<?x4xf32>, %rhs: memref<4xf32>, %out: memref<?x4xf32>) attributes {dims = ["batch"],
// CHECK-NEXT:    loop.shape %lhs[%batch, 4]
// CHECK-NEXT:    loop.shape %out[%batch, 4]
// CHECK-NEXT:    loop.for "ax0" %ax0 = 0 to %batch {
// CHECK:           reads(%{{.*}} = %lhs[%vax0, %vax1], %{{.*}} = %rhs[%vax1])
