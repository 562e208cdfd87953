// RUN: stepwell-opt %s -p convert-graph-to-loop --split-input-file | filecheck %s

// f16 is added up in f32, and rounded once.
// CHECK-LABEL: func.func private @matmul(
// CHECK:         %wide = loop.alloc "global" : memref<2x2xf32>
// CHECK:         writes(%{{.*}} = %wide[%vi, %vj])
// CHECK:           %[[A:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK-NEXT:      %[[B:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK:         loop.block "round"
// CHECK:           arith.truncf %{{.*}} : f32 to f16
func.func @half(%a : tensor<2x3xf16>, %b : tensor<3x2xf16>) -> tensor<2x2xf16> {
  %c = graph.matmul %a, %b : tensor<2x3xf16>, tensor<3x2xf16> -> tensor<2x2xf16>
  func.return %c : tensor<2x2xf16>
}

// -----

// Leading axes broadcast; a vector on the right is a column that the result lacks.
// CHECK-LABEL: func.func private @matmul(
// CHECK:         loop.for "b0"
// CHECK-NEXT:      loop.for "b1"
// CHECK-NEXT:        loop.for "i"
// CHECK-NEXT:          loop.for "k"
// CHECK-NEXT:            loop.block "matmul"
// CHECK-NEXT:                reads(%{{.*}} = %lhs[%vb0, %vb1, %vi, %vk], %{{.*}} = %rhs[%vk])
// CHECK-NEXT:                writes(%{{.*}} = %out[%vb0, %vb1, %vi])
func.func @vector(%a : tensor<2x3x4x5xf32>, %b : tensor<5xf32>) -> tensor<2x3x4xf32> {
  %c = graph.matmul %a, %b : tensor<2x3x4x5xf32>, tensor<5xf32> -> tensor<2x3x4xf32>
  func.return %c : tensor<2x3x4xf32>
}

// -----

// Padding is a padded read; groups choose the channels; the bias has a nest of its own.
// CHECK-LABEL: func.func private @conv2d(
// CHECK:         reads(%{{.*}} = %input[%vn, (%vo floordiv 2) * 3 + %vc, %vy * 2 + %vky - 1, %vx * 2 + %vkx - 1] else 0.000000e+00 : f32, %{{.*}} = %filter[%vo, %vc, %vky, %vkx])
// CHECK:         loop.block "bias"
// CHECK-NEXT:        reads(%{{.*}} = %sum[%vax0, %vax1, %vax2, %vax3], %{{.*}} = %bias[%vax1])
func.func @grouped(%x : tensor<1x6x8x8xf32>, %w : tensor<4x3x3x3xf32>, %b : tensor<4xf32>) -> tensor<1x4x4x4xf32> {
  %y = graph.conv2d %x, %w, %b strides [2, 2] pads [1, 1, 1, 1] groups 2 : tensor<1x6x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32> -> tensor<1x4x4x4xf32>
  func.return %y : tensor<1x4x4x4xf32>
}

// -----

// In four nests, the largest subtracted.
// CHECK-LABEL: func.func private @softmax(
// CHECK:         loop.block "max"
// CHECK:         loop.block "exp"
// CHECK:           arith.subf
// CHECK-NEXT:      math.exp
// CHECK:         loop.block "sum"
// CHECK:         loop.block "divide"
func.func @rows(%x : tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = graph.softmax %x axis 1 : tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// -----

// The variance is a second pass over differences to the mean.
// CHECK-LABEL: func.func private @layer_norm(
// CHECK:         loop.block "sum"
// CHECK:         loop.block "mean"
// CHECK:         loop.block "squares"
// CHECK:           %[[D:.*]] = arith.subf
// CHECK-NEXT:      %[[Q:.*]] = arith.mulf %[[D]], %[[D]] : f32
// CHECK:         loop.block "deviation"
// CHECK:         loop.block "normalize"
func.func @rows(%x : tensor<2x3xf32>, %s : tensor<3xf32>) -> tensor<2x3xf32> {
  %y = graph.layer_norm %x, %s axis 1 epsilon 1.000000e-05 : tensor<2x3xf32>, tensor<3xf32> -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// -----

// Axes that a reshape leaves alone keep their index; others go through the row-major place.
// CHECK-LABEL: func.func private @reshape(
// CHECK:         reads(%{{.*}} = %input[%vax0, (%vax1 floordiv 4), (%vax1 mod 4), 0])
func.func @joins(%x : tensor<?x3x4x1xf32, #graph.dims<n, 3, 4, 1>>) -> tensor<?x12xf32, #graph.dims<n, 12>> {
  %y = graph.reshape %x to <d0, 12> : tensor<?x3x4x1xf32, #graph.dims<n, 3, 4, 1>> -> tensor<?x12xf32, #graph.dims<n, 12>>
  func.return %y : tensor<?x12xf32, #graph.dims<n, 12>>
}

// -----

// One nest per operand, at its offset; a size that is needed inside is a parameter of the block.
// CHECK-LABEL: func.func private @concat(
// CHECK:         loop.block "concat" (%vi : spatial = %i)
// CHECK:         loop.block "concat1" (%vi{{.*}} : spatial = %i{{.*}}, %vn : param = %n)
// CHECK:           writes(%out[%vi{{.*}} + %vn])
func.func @offset(%x : tensor<?xf32, #graph.dims<n>>, %y : tensor<2xf32>) -> tensor<?xf32, #graph.dims<n + 2>> {
  %z = graph.concat %x, %y axis 0 : tensor<?xf32, #graph.dims<n>>, tensor<2xf32> -> tensor<?xf32, #graph.dims<n + 2>>
  func.return %z : tensor<?xf32, #graph.dims<n + 2>>
}

// -----

// Padding of a maximum never wins; unsigned integers keep their order in signless buffers.
// CHECK-LABEL: func.func private @max_pool2d(
// CHECK-SAME:    %input: memref<1x1x4x4xi8>, %out: memref<1x1x4x4xi8>) attributes {outputs_count = 1 : i64, noalias, elements = [ui8, ui8]}
// CHECK:         else 0 : i8
// CHECK:         arith.maxui
func.func @unsigned_pool(%x : tensor<1x1x4x4xui8>) -> tensor<1x1x4x4xui8> {
  %y = graph.max_pool2d %x kernel [3, 3] pads [1, 1, 1, 1] : tensor<1x1x4x4xui8> -> tensor<1x1x4x4xui8>
  func.return %y : tensor<1x1x4x4xui8>
}

// -----

// A scalar has no loops.
// CHECK-LABEL: func.func private @exp(
// CHECK-NEXT:    loop.block "exp" ()
// CHECK-NEXT:        reads(%{{.*}} = %input[])
// CHECK-NEXT:        writes(%out[])
func.func @scalar(%x : tensor<f32>) -> tensor<f32> {
  %y = graph.exp %x : tensor<f32>
  func.return %y : tensor<f32>
}
