// RUN: stepwell-opt %s -p fuse-elementwise | filecheck %s
// RUN: stepwell-opt %s -p fuse-elementwise,fuse-elementwise | filecheck %s

// CHECK:       func.func private @fused_matmul_add_relu(%in0: tensor<2x3xf32>, %in1: tensor<3x4xf32>, %in2: tensor<4xf32>) -> tensor<2x4xf32> attributes {primitive = 1 : i64}
// CHECK-NEXT:    %[[P:.*]] = graph.matmul %in0, %in1
// CHECK-NEXT:    %[[S:.*]] = graph.add %[[P]], %in2
// CHECK-NEXT:    %[[R:.*]] = graph.relu %[[S]]
// CHECK-NEXT:    func.return %[[R]]
// CHECK-LABEL: func.func @layer(
// CHECK-NEXT:    %[[Y:.*]] = func.call @fused_matmul_add_relu(%x, %w, %b)
// CHECK-NEXT:    func.return %[[Y]]
func.func @layer(%x : tensor<2x3xf32>, %w : tensor<3x4xf32>, %b : tensor<4xf32>) -> tensor<2x4xf32> {
  %p = graph.matmul %x, %w : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  %s = graph.add %p, %b : tensor<2x4xf32>, tensor<4xf32> -> tensor<2x4xf32>
  %y = graph.relu %s : tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// (B004) a producer that its reader reads twice; numbers go into the function, values are passed once

// CHECK:       func.func private @fused_add_add_maximum_minimum_etc(%in0: tensor<4xf32>, %in1: tensor<4xf32>)
// CHECK-COUNT-3: graph.constant
// CHECK:         %[[A:.*]] = graph.add %in0, %in1
// CHECK:         graph.multiply %[[A]], %{{.*}}
// CHECK-LABEL: func.func @hard_swish(
// CHECK:         func.call @fused_add_add_maximum_minimum_etc(%bias, %x)
// CHECK-NEXT:    func.return
func.func @hard_swish(%bias : tensor<4xf32>, %x : tensor<4xf32>) -> tensor<4xf32> {
  %three = graph.constant #graph.array<3.0 : tensor<f32>>
  %zero = graph.constant #graph.array<0.0 : tensor<f32>>
  %six = graph.constant #graph.array<6.0 : tensor<f32>>
  %a = graph.add %bias, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %b = graph.add %a, %three : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %c = graph.maximum %b, %zero : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %d = graph.minimum %c, %six : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %e = graph.divide %d, %six : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %y = graph.multiply %a, %e : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// (B001) a producer that two ops of the group read is computed once; one with a reader outside stays where it is

// CHECK:       func.func private @fused_conv2d_relu_add(%in0: tensor<1x1x4x4xf32>, %in1: tensor<1x1x3x3xf32>)
// CHECK-NEXT:    %[[C:.*]] = graph.conv2d %in0, %in1
// CHECK-NEXT:    %[[R:.*]] = graph.relu %[[C]]
// CHECK-NEXT:    graph.add %[[C]], %[[R]]
// CHECK-LABEL: func.func @skip_branch(
// CHECK-NEXT:    func.call @fused_conv2d_relu_add(%x, %w)
func.func @skip_branch(%x : tensor<1x1x4x4xf32>, %w : tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32> {
  %c = graph.conv2d %x, %w : tensor<1x1x4x4xf32>, tensor<1x1x3x3xf32> -> tensor<1x1x2x2xf32>
  %r = graph.relu %c : tensor<1x1x2x2xf32>
  %s = graph.add %c, %r : tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32> -> tensor<1x1x2x2xf32>
  func.return %s : tensor<1x1x2x2xf32>
}

// CHECK-LABEL: func.func @read_outside(
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.relu
func.func @read_outside(%x : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = graph.exp %x : tensor<4xf32>
  %r = graph.relu %e : tensor<4xf32>
  func.return %e, %r : tensor<4xf32>, tensor<4xf32>
}

// an element that is broadcast would be computed three times

// CHECK-LABEL: func.func @producer_is_broadcast(
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.add
func.func @producer_is_broadcast(%x : tensor<4xf32>, %c : tensor<3x4xf32>) -> tensor<3x4xf32> {
  %e = graph.exp %x : tensor<4xf32>
  %s = graph.add %e, %c : tensor<4xf32>, tensor<3x4xf32> -> tensor<3x4xf32>
  func.return %s : tensor<3x4xf32>
}

// nothing is fused into the operands of a heavy op, and one heavy op is enough

// CHECK:       func.func private @fused_matmul_add(
// CHECK-LABEL: func.func @two_products(
// CHECK-NEXT:    %[[E:.*]] = graph.exp
// CHECK-NEXT:    %[[P:.*]] = graph.matmul %[[E]]
// CHECK-NEXT:    func.call @fused_matmul_add(%[[E]], %x, %[[P]])
func.func @two_products(%x : tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = graph.exp %x : tensor<4x4xf32>
  %p = graph.matmul %e, %x : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %q = graph.matmul %e, %x : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %s = graph.add %p, %q : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  func.return %s : tensor<4x4xf32>
}

// named dims are equal if their names are; of unknown ones nothing is known

// CHECK:       func.func private @fused_exp_negate(%in0: tensor<?xf32, #graph.dims<n>>)
// CHECK-LABEL: func.func @dynamic(
// CHECK-NEXT:    func.call @fused_exp_negate(%x)
func.func @dynamic(%x : tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>> {
  %e = graph.exp %x : tensor<?xf32, #graph.dims<n>>
  %y = graph.negate %e : tensor<?xf32, #graph.dims<n>>
  func.return %y : tensor<?xf32, #graph.dims<n>>
}

// CHECK-LABEL: func.func @unknown(
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.negate
func.func @unknown(%x : tensor<?xf32>) -> tensor<?xf32> {
  %e = graph.exp %x : tensor<?xf32>
  %y = graph.negate %e : tensor<?xf32>
  func.return %y : tensor<?xf32>
}

// names are new, and one op alone is no group

// CHECK:       func.func private @fused_exp_negate1(
// CHECK-LABEL: func.func @same_ops(
// CHECK-NEXT:    func.call @fused_exp_negate1(%x)
// CHECK-NEXT:    graph.permute_dims
// CHECK-NEXT:    graph.relu
func.func @same_ops(%x : tensor<4x2xf32>) -> tensor<2x4xf32> {
  %e = graph.exp %x : tensor<4x2xf32>
  %n = graph.negate %e : tensor<4x2xf32>
  %t = graph.permute_dims %n [1, 0] : tensor<4x2xf32> -> tensor<2x4xf32>
  %y = graph.relu %t : tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// CHECK-LABEL: func.func private @primitive(
// CHECK-NEXT:    graph.exp
func.func private @primitive(%x : tensor<4xf32>) -> tensor<4xf32> attributes {primitive = 1 : i64} {
  %e = graph.exp %x : tensor<4xf32>
  %y = graph.negate %e : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
