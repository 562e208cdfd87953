// RUN: stepwell-opt %s -p canonicalize-graph,dce | filecheck %s

// CHECK-LABEL: func.func @scope(
// CHECK-NEXT:    %[[Y:.*]] = graph.relu %x
// CHECK-NEXT:    func.return %[[Y]]
func.func @scope(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.dataflow -> tensor<4xf32> {
    %one = graph.constant #graph.array<1.0 : tensor<f32>>
    %a = graph.relu %x : tensor<4xf32>
    %b = graph.multiply %a, %one : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
    %c = graph.relu %b : tensor<4xf32>
    graph.output %c : tensor<4xf32>
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @neutral(
// CHECK-NEXT:    func.return %x, %i
func.func @neutral(%x : tensor<4xf32>, %i : tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %one = graph.constant #graph.array<[1.0, 1.0, 1.0, 1.0] : tensor<4xf32>>
  %plus = graph.constant #graph.array<0.0 : tensor<f32>>
  %minus = graph.constant #graph.array<-0.0 : tensor<f32>>
  %a = graph.multiply %one, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %b = graph.add %minus, %a : tensor<f32>, tensor<4xf32> -> tensor<4xf32>
  %c = graph.subtract %b, %plus : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %d = graph.divide %c, %one : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %e = graph.power %d, %one : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %zero = graph.constant #graph.array<0 : tensor<i32>>
  %j = graph.add %i, %zero : tensor<4xi32>, tensor<i32> -> tensor<4xi32>
  func.return %e, %j : tensor<4xf32>, tensor<4xi32>
}

// (B033, B037) −0 + 0 is 0, 0 * NaN is NaN, inf − inf is NaN; and a result has its shape from both operands

// CHECK-LABEL: func.func @not_neutral(
// CHECK:         graph.add
// CHECK:         graph.subtract
// CHECK:         graph.multiply
// CHECK:         graph.subtract
// CHECK:         graph.divide
// CHECK:         graph.multiply
// CHECK:         func.return
func.func @not_neutral(%x : tensor<4xf32>) -> tensor<3x4xf32> {
  %plus = graph.constant #graph.array<0.0 : tensor<f32>>
  %minus = graph.constant #graph.array<-0.0 : tensor<f32>>
  %one = graph.constant #graph.array<1.0 : tensor<f32>>
  %ones = graph.constant #graph.array<[[1.0], [1.0], [1.0]] : tensor<3x1xf32>>
  %a = graph.add %x, %plus : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %b = graph.subtract %a, %minus : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %c = graph.multiply %b, %plus : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %d = graph.subtract %c, %c : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %e = graph.divide %one, %d : tensor<f32>, tensor<4xf32> -> tensor<4xf32>
  %f = graph.multiply %e, %ones : tensor<4xf32>, tensor<3x1xf32> -> tensor<3x4xf32>
  func.return %f : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @twice(
// CHECK-NEXT:    %[[A:.*]] = graph.abs %x
// CHECK-NEXT:    func.return %[[A]], %c
func.func @twice(%x : tensor<4xf32>, %c : tensor<4xi1>) -> (tensor<4xf32>, tensor<4xi1>) {
  %a = graph.negate %x : tensor<4xf32>
  %b = graph.negate %a : tensor<4xf32>
  %d = graph.negate %b : tensor<4xf32>
  %e = graph.abs %d : tensor<4xf32>
  %f = graph.abs %e : tensor<4xf32>
  %g = graph.maximum %f, %f : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %n = graph.logical_not %c : tensor<4xi1>
  %m = graph.logical_not %n : tensor<4xi1>
  func.return %g, %m : tensor<4xf32>, tensor<4xi1>
}

// (B027) axis i of the result is axis p[q[i]] of the operand

// CHECK-LABEL: func.func @permutations(
// CHECK-NEXT:    graph.permute_dims %x [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
// CHECK-NEXT:    func.return
func.func @permutations(%x : tensor<2x3x4xf32>) -> tensor<3x4x2xf32> {
  %a = graph.permute_dims %x [1, 0, 2] : tensor<2x3x4xf32> -> tensor<3x2x4xf32>
  %b = graph.permute_dims %a [0, 2, 1] : tensor<3x2x4xf32> -> tensor<3x4x2xf32>
  func.return %b : tensor<3x4x2xf32>
}

// CHECK-LABEL: func.func @inverse_permutations(
// CHECK-NEXT:    func.return %x
func.func @inverse_permutations(%x : tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %a = graph.permute_dims %x [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %b = graph.permute_dims %a [2, 0, 1] : tensor<3x4x2xf32> -> tensor<2x3x4xf32>
  func.return %b : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @reshapes(
// CHECK-NEXT:    graph.reshape %x to <d0, 2, 6> : tensor<?x12xf32, #graph.dims<n, 12>> -> tensor<?x2x6xf32, #graph.dims<n, 2, 6>>
// CHECK-NEXT:    func.return
func.func @reshapes(%x : tensor<?x12xf32, #graph.dims<n, 12>>) -> tensor<?x2x6xf32, #graph.dims<n, 2, 6>> {
  %a = graph.reshape %x to <d0, 3, 4> : tensor<?x12xf32, #graph.dims<n, 12>> -> tensor<?x3x4xf32, #graph.dims<n, 3, 4>>
  %b = graph.reshape %a to <d0, 2, 6> : tensor<?x3x4xf32, #graph.dims<n, 3, 4>> -> tensor<?x2x6xf32, #graph.dims<n, 2, 6>>
  func.return %b : tensor<?x2x6xf32, #graph.dims<n, 2, 6>>
}

// CHECK-LABEL: func.func @nothing_moves(
// CHECK-NEXT:    func.return %x
func.func @nothing_moves(%x : tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = graph.reshape %x to <6> : tensor<2x3xf32> -> tensor<6xf32>
  %b = graph.reshape %a to <2, 3> : tensor<6xf32> -> tensor<2x3xf32>
  %c = graph.cast %b : tensor<2x3xf32> -> tensor<2x3xf32>
  %d = graph.pad %c [0, 0] [0, 0] constant(0.000000e+00 : f32) : tensor<2x3xf32> -> tensor<2x3xf32>
  %e = graph.slice %d [:, 0:3] : tensor<2x3xf32> -> tensor<2x3xf32>
  %f = graph.concat %e axis 0 : tensor<2x3xf32> -> tensor<2x3xf32>
  %g = graph.broadcast_to %f to <2, 3> : tensor<2x3xf32> -> tensor<2x3xf32>
  %h = graph.permute_dims %g [0, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return %h : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @casts(
// CHECK-NEXT:    graph.cast %x : tensor<4xf16> -> tensor<4xi32>
// CHECK-NEXT:    func.return
func.func @casts(%x : tensor<4xf16>) -> tensor<4xi32> {
  %a = graph.cast %x : tensor<4xf16> -> tensor<4xf32>
  %b = graph.cast %a : tensor<4xf32> -> tensor<4xi32>
  func.return %b : tensor<4xi32>
}

// f16 does not hold an f32; and a float saturates where an integer wraps

// CHECK-LABEL: func.func @casts_that_lose(
// CHECK-NEXT:    graph.cast
// CHECK-NEXT:    graph.cast
// CHECK-NEXT:    graph.cast
// CHECK-NEXT:    graph.cast
func.func @casts_that_lose(%x : tensor<4xf32>, %i : tensor<4xi8>) -> (tensor<4xf32>, tensor<4xui8>) {
  %a = graph.cast %x : tensor<4xf32> -> tensor<4xf16>
  %b = graph.cast %a : tensor<4xf16> -> tensor<4xf32>
  %c = graph.cast %i : tensor<4xi8> -> tensor<4xf32>
  %d = graph.cast %c : tensor<4xf32> -> tensor<4xui8>
  func.return %b, %d : tensor<4xf32>, tensor<4xui8>
}

// CHECK-LABEL: func.func @concats(
// CHECK-NEXT:    graph.concat %a, %b, %a axis 0 : tensor<2xf32>, tensor<3xf32>, tensor<2xf32> -> tensor<7xf32>
// CHECK-NEXT:    func.return
func.func @concats(%a : tensor<2xf32>, %b : tensor<3xf32>, %n : tensor<0xf32>) -> tensor<7xf32> {
  %c = graph.concat %a, %b, %n axis 0 : tensor<2xf32>, tensor<3xf32>, tensor<0xf32> -> tensor<5xf32>
  %d = graph.concat %c, %a axis 0 : tensor<5xf32>, tensor<2xf32> -> tensor<7xf32>
  func.return %d : tensor<7xf32>
}

// CHECK-LABEL: func.func @concat_read_twice(
// CHECK-NEXT:    graph.concat
// CHECK-NEXT:    graph.concat
func.func @concat_read_twice(%a : tensor<2xf32>) -> (tensor<4xf32>, tensor<6xf32>) {
  %c = graph.concat %a, %a axis 0 : tensor<2xf32>, tensor<2xf32> -> tensor<4xf32>
  %d = graph.concat %c, %a axis 0 : tensor<4xf32>, tensor<2xf32> -> tensor<6xf32>
  func.return %c, %d : tensor<4xf32>, tensor<6xf32>
}

// the largest of one element is that element; its sum is 0 where it is −0

// CHECK-LABEL: func.func @reductions(
// CHECK-NEXT:    graph.reshape %x to <4>
// CHECK-NEXT:    graph.sum
func.func @reductions(%x : tensor<1x4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = graph.max %x [0] : tensor<1x4xf32> -> tensor<4xf32>
  %b = graph.sum %x [0] : tensor<1x4xf32> -> tensor<4xf32>
  func.return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @selects(
// CHECK-NEXT:    func.return %x, %y
func.func @selects(%c : tensor<4xi1>, %x : tensor<4xf32>, %y : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = graph.select %c, %x, %x : tensor<4xi1>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %no = graph.constant #graph.array<false : tensor<i1>>
  %b = graph.select %no, %x, %y : tensor<i1>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return %a, %b : tensor<4xf32>, tensor<4xf32>
}
