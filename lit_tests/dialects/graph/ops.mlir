// RUN: stepwell-opt %s | stepwell-opt | filecheck %s
// RUN: stepwell-opt %s --print-op-generic | stepwell-opt | filecheck %s

// CHECK-LABEL: @unary
// CHECK-NEXT:  %{{.*}} = graph.relu %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.negate %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.abs %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.sign %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.exp %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.log %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.sqrt %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.reciprocal %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.sin %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.cos %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.tan %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.asin %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.acos %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.atan %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.sinh %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.cosh %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.tanh %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.asinh %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.acosh %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.atanh %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.sigmoid %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.erf %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.ceil %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.floor %{{.*}} : tensor<4xf32>
// CHECK-NEXT:  %{{.*}} = graph.round %{{.*}} : tensor<4xf32>
func.func @unary(%x : tensor<4xf32>) {
  %0 = graph.relu %x : tensor<4xf32>
  %1 = graph.negate %x : tensor<4xf32>
  %2 = graph.abs %x : tensor<4xf32>
  %3 = graph.sign %x : tensor<4xf32>
  %4 = graph.exp %x : tensor<4xf32>
  %5 = graph.log %x : tensor<4xf32>
  %6 = graph.sqrt %x : tensor<4xf32>
  %7 = graph.reciprocal %x : tensor<4xf32>
  %8 = graph.sin %x : tensor<4xf32>
  %9 = graph.cos %x : tensor<4xf32>
  %10 = graph.tan %x : tensor<4xf32>
  %11 = graph.asin %x : tensor<4xf32>
  %12 = graph.acos %x : tensor<4xf32>
  %13 = graph.atan %x : tensor<4xf32>
  %14 = graph.sinh %x : tensor<4xf32>
  %15 = graph.cosh %x : tensor<4xf32>
  %16 = graph.tanh %x : tensor<4xf32>
  %17 = graph.asinh %x : tensor<4xf32>
  %18 = graph.acosh %x : tensor<4xf32>
  %19 = graph.atanh %x : tensor<4xf32>
  %20 = graph.sigmoid %x : tensor<4xf32>
  %21 = graph.erf %x : tensor<4xf32>
  %22 = graph.ceil %x : tensor<4xf32>
  %23 = graph.floor %x : tensor<4xf32>
  %24 = graph.round %x : tensor<4xf32>
  func.return
}

// CHECK-LABEL: @unary_of_other_types
// CHECK-NEXT:  %{{.*}} = graph.exp %{{.*}} : tensor<2x3xf16>
// CHECK-NEXT:  %{{.*}} = graph.tanh %{{.*}} : tensor<?xbf16>
// CHECK-NEXT:  %{{.*}} = graph.sqrt %{{.*}} : tensor<f64>
// CHECK-NEXT:  %{{.*}} = graph.abs %{{.*}} : tensor<4xi8>
// CHECK-NEXT:  %{{.*}} = graph.relu %{{.*}} : tensor<0xui64>
// CHECK-NEXT:  %{{.*}} = graph.bitwise_not %{{.*}} : tensor<4xi8>
// CHECK-NEXT:  %{{.*}} = graph.logical_not %{{.*}} : tensor<4xi1>
// CHECK-NEXT:  %{{.*}} = graph.is_nan %{{.*}} : tensor<2x3xf16> -> tensor<2x3xi1>
// CHECK-NEXT:  %{{.*}} = graph.is_inf %{{.*}} : tensor<f64> -> tensor<i1>
func.func @unary_of_other_types(%h : tensor<2x3xf16>, %b : tensor<?xbf16>, %d : tensor<f64>, %i : tensor<4xi8>, %u : tensor<0xui64>, %t : tensor<4xi1>) {
  %0 = graph.exp %h : tensor<2x3xf16>
  %1 = graph.tanh %b : tensor<?xbf16>
  %2 = graph.sqrt %d : tensor<f64>
  %3 = graph.abs %i : tensor<4xi8>
  %4 = graph.relu %u : tensor<0xui64>
  %5 = graph.bitwise_not %i : tensor<4xi8>
  %6 = graph.logical_not %t : tensor<4xi1>
  %7 = graph.is_nan %h : tensor<2x3xf16> -> tensor<2x3xi1>
  %8 = graph.is_inf %d : tensor<f64> -> tensor<i1>
  func.return
}

// CHECK-LABEL: @a_result_may_know_less
// CHECK-NEXT:  %{{.*}} = graph.relu %{{.*}} : tensor<4xf32> -> tensor<?xf32>
// CHECK-NEXT:  %{{.*}} = graph.add %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32> -> tensor<?xf32>
// CHECK-NEXT:  %{{.*}} = graph.softmax %{{.*}} axis 0 : tensor<4xf32> -> tensor<?xf32>
func.func @a_result_may_know_less(%x : tensor<4xf32>) {
  %0 = graph.relu %x : tensor<4xf32> -> tensor<?xf32>
  %1 = graph.add %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<?xf32>
  %2 = graph.softmax %x axis 0 : tensor<4xf32> -> tensor<?xf32>
  func.return
}

// CHECK-LABEL: @binary
// CHECK-NEXT:  %{{.*}} = graph.add %{{.*}}, %{{.*}} : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
// CHECK-NEXT:  %{{.*}} = graph.subtract %{{.*}}, %{{.*}} : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
// CHECK-NEXT:  %{{.*}} = graph.multiply %{{.*}}, %{{.*}} : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
// CHECK-NEXT:  %{{.*}} = graph.divide %{{.*}}, %{{.*}} : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
// CHECK-NEXT:  %{{.*}} = graph.power %{{.*}}, %{{.*}} : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
// CHECK-NEXT:  %{{.*}} = graph.maximum %{{.*}}, %{{.*}} : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
// CHECK-NEXT:  %{{.*}} = graph.minimum %{{.*}}, %{{.*}} : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
// CHECK-NEXT:  %{{.*}} = graph.modulo %{{.*}}, %{{.*}} fmod : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
func.func @binary(%a : tensor<1x128xf32>, %b : tensor<128xf32>) {
  %0 = graph.add %a, %b : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
  %1 = graph.subtract %a, %b : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
  %2 = graph.multiply %a, %b : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
  %3 = graph.divide %a, %b : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
  %4 = graph.power %a, %b : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
  %5 = graph.maximum %a, %b : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
  %6 = graph.minimum %a, %b : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
  %7 = graph.modulo %a, %b fmod : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
  func.return
}

// CHECK-LABEL: @binary_of_integers
// CHECK-NEXT:  %{{.*}} = graph.bitwise_and %{{.*}}, %{{.*}} : tensor<3x1xui16>, tensor<4xui16> -> tensor<3x4xui16>
// CHECK-NEXT:  %{{.*}} = graph.bitwise_or %{{.*}}, %{{.*}} : tensor<3x1xui16>, tensor<4xui16> -> tensor<3x4xui16>
// CHECK-NEXT:  %{{.*}} = graph.bitwise_xor %{{.*}}, %{{.*}} : tensor<3x1xui16>, tensor<4xui16> -> tensor<3x4xui16>
// CHECK-NEXT:  %{{.*}} = graph.shift_left %{{.*}}, %{{.*}} : tensor<3x1xui16>, tensor<4xui16> -> tensor<3x4xui16>
// CHECK-NEXT:  %{{.*}} = graph.shift_right %{{.*}}, %{{.*}} : tensor<3x1xui16>, tensor<4xui16> -> tensor<3x4xui16>
// CHECK-NEXT:  %{{.*}} = graph.modulo %{{.*}}, %{{.*}} : tensor<3x1xui16>, tensor<4xui16> -> tensor<3x4xui16>
func.func @binary_of_integers(%a : tensor<3x1xui16>, %b : tensor<4xui16>) {
  %0 = graph.bitwise_and %a, %b : tensor<3x1xui16>, tensor<4xui16> -> tensor<3x4xui16>
  %1 = graph.bitwise_or %a, %b : tensor<3x1xui16>, tensor<4xui16> -> tensor<3x4xui16>
  %2 = graph.bitwise_xor %a, %b : tensor<3x1xui16>, tensor<4xui16> -> tensor<3x4xui16>
  %3 = graph.shift_left %a, %b : tensor<3x1xui16>, tensor<4xui16> -> tensor<3x4xui16>
  %4 = graph.shift_right %a, %b : tensor<3x1xui16>, tensor<4xui16> -> tensor<3x4xui16>
  %5 = graph.modulo %a, %b : tensor<3x1xui16>, tensor<4xui16> -> tensor<3x4xui16>
  func.return
}

// CHECK-LABEL: @logic
// CHECK-NEXT:  %{{.*}} = graph.logical_and %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<i1> -> tensor<4xi1>
// CHECK-NEXT:  %{{.*}} = graph.logical_or %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<i1> -> tensor<4xi1>
// CHECK-NEXT:  %{{.*}} = graph.logical_xor %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<i1> -> tensor<4xi1>
// CHECK-NEXT:  %{{.*}} = graph.equal %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<i1> -> tensor<4xi1>
// CHECK-NEXT:  %{{.*}} = graph.not_equal %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<i1> -> tensor<4xi1>
func.func @logic(%a : tensor<4xi1>, %b : tensor<i1>) {
  %0 = graph.logical_and %a, %b : tensor<4xi1>, tensor<i1> -> tensor<4xi1>
  %1 = graph.logical_or %a, %b : tensor<4xi1>, tensor<i1> -> tensor<4xi1>
  %2 = graph.logical_xor %a, %b : tensor<4xi1>, tensor<i1> -> tensor<4xi1>
  %3 = graph.equal %a, %b : tensor<4xi1>, tensor<i1> -> tensor<4xi1>
  %4 = graph.not_equal %a, %b : tensor<4xi1>, tensor<i1> -> tensor<4xi1>
  func.return
}

// CHECK-LABEL: @compare
// CHECK-NEXT:  %{{.*}} = graph.equal %{{.*}}, %{{.*}} : tensor<3x1xi32>, tensor<4xi32> -> tensor<3x4xi1>
// CHECK-NEXT:  %{{.*}} = graph.not_equal %{{.*}}, %{{.*}} : tensor<3x1xi32>, tensor<4xi32> -> tensor<3x4xi1>
// CHECK-NEXT:  %{{.*}} = graph.less %{{.*}}, %{{.*}} : tensor<3x1xi32>, tensor<4xi32> -> tensor<3x4xi1>
// CHECK-NEXT:  %{{.*}} = graph.less_equal %{{.*}}, %{{.*}} : tensor<3x1xi32>, tensor<4xi32> -> tensor<3x4xi1>
// CHECK-NEXT:  %{{.*}} = graph.greater %{{.*}}, %{{.*}} : tensor<3x1xi32>, tensor<4xi32> -> tensor<3x4xi1>
// CHECK-NEXT:  %{{.*}} = graph.greater_equal %{{.*}}, %{{.*}} : tensor<3x1xi32>, tensor<4xi32> -> tensor<3x4xi1>
func.func @compare(%a : tensor<3x1xi32>, %b : tensor<4xi32>) {
  %0 = graph.equal %a, %b : tensor<3x1xi32>, tensor<4xi32> -> tensor<3x4xi1>
  %1 = graph.not_equal %a, %b : tensor<3x1xi32>, tensor<4xi32> -> tensor<3x4xi1>
  %2 = graph.less %a, %b : tensor<3x1xi32>, tensor<4xi32> -> tensor<3x4xi1>
  %3 = graph.less_equal %a, %b : tensor<3x1xi32>, tensor<4xi32> -> tensor<3x4xi1>
  %4 = graph.greater %a, %b : tensor<3x1xi32>, tensor<4xi32> -> tensor<3x4xi1>
  %5 = graph.greater_equal %a, %b : tensor<3x1xi32>, tensor<4xi32> -> tensor<3x4xi1>
  func.return
}

// CHECK-LABEL: @other_elementwise
// CHECK-NEXT:  %{{.*}} = graph.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x1xi1>, tensor<3xf32>, tensor<f32> -> tensor<2x3xf32>
// CHECK-NEXT:  %{{.*}} = graph.ewise_fma %{{.*}}, %{{.*}}, %{{.*}} : tensor<3xf32>, tensor<f32>, tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK-NEXT:  %{{.*}} = graph.cast %{{.*}} : tensor<3xf32> -> tensor<3xui8>
// CHECK-NEXT:  %{{.*}} = graph.cast %{{.*}} : tensor<2x1xi1> -> tensor<2x1xbf16>
func.func @other_elementwise(%c : tensor<2x1xi1>, %a : tensor<3xf32>, %s : tensor<f32>) {
  %0 = graph.select %c, %a, %s : tensor<2x1xi1>, tensor<3xf32>, tensor<f32> -> tensor<2x3xf32>
  %1 = graph.ewise_fma %a, %s, %0 : tensor<3xf32>, tensor<f32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %2 = graph.cast %a : tensor<3xf32> -> tensor<3xui8>
  %3 = graph.cast %c : tensor<2x1xi1> -> tensor<2x1xbf16>
  func.return
}

// CHECK-LABEL: @matmul
// CHECK-NEXT:  %{{.*}} = graph.matmul %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
// CHECK-NEXT:  %{{.*}} = graph.matmul %{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8x2xf32> -> tensor<2xf32>
// CHECK-NEXT:  %{{.*}} = graph.matmul %{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32> -> tensor<f32>
// CHECK-NEXT:  %{{.*}} = graph.matmul %{{.*}}, %{{.*}} : tensor<3x1x4x8xf32>, tensor<5x8x2xf32> -> tensor<3x5x4x2xf32>
func.func @matmul(%a : tensor<4x8xf32>, %b : tensor<8x2xf32>, %v : tensor<8xf32>, %t : tensor<3x1x4x8xf32>, %u : tensor<5x8x2xf32>) {
  %0 = graph.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  %1 = graph.matmul %v, %b : tensor<8xf32>, tensor<8x2xf32> -> tensor<2xf32>
  %2 = graph.matmul %v, %v : tensor<8xf32>, tensor<8xf32> -> tensor<f32>
  %3 = graph.matmul %t, %u : tensor<3x1x4x8xf32>, tensor<5x8x2xf32> -> tensor<3x5x4x2xf32>
  func.return
}

// CHECK-LABEL: @conv2d
// CHECK-NEXT:  %{{.*}} = graph.conv2d %{{.*}}, %{{.*}} : tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32> -> tensor<1x8x7x7xf32>
// CHECK-NEXT:  %{{.*}} = graph.conv2d %{{.*}}, %{{.*}}, %{{.*}} strides [2, 1] pads [1, 1, 1, 1] : tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32>, tensor<8xf32> -> tensor<1x8x5x9xf32>
// CHECK-NEXT:  %{{.*}} = graph.conv2d %{{.*}}, %{{.*}} dilations [2, 2] groups 4 : tensor<1x4x9x9xf32>, tensor<8x1x3x3xf32> -> tensor<1x8x5x5xf32>
func.func @conv2d(%x : tensor<1x4x9x9xf32>, %w : tensor<8x4x3x3xf32>, %g : tensor<8x1x3x3xf32>, %b : tensor<8xf32>) {
  %0 = graph.conv2d %x, %w : tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32> -> tensor<1x8x7x7xf32>
  %1 = graph.conv2d %x, %w, %b strides [2, 1] pads [1, 1, 1, 1] : tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32>, tensor<8xf32> -> tensor<1x8x5x9xf32>
  %2 = graph.conv2d %x, %g dilations [2, 2] groups 4 : tensor<1x4x9x9xf32>, tensor<8x1x3x3xf32> -> tensor<1x8x5x5xf32>
  func.return
}

// CHECK-LABEL: @pool
// CHECK-NEXT:  %{{.*}} = graph.max_pool2d %{{.*}} kernel [2, 2] strides [2, 2] : tensor<1x3x8x8xf32> -> tensor<1x3x4x4xf32>
// CHECK-NEXT:  %{{.*}} = graph.max_pool2d %{{.*}} kernel [3, 3] strides [2, 2] ceil_mode : tensor<1x3x8x8xf32> -> tensor<1x3x4x4xf32>
// CHECK-NEXT:  %{{.*}} = graph.avg_pool2d %{{.*}} kernel [3, 3] pads [1, 1, 1, 1] dilations [2, 2] ceil_mode count_include_pad : tensor<1x3x8x8xf32> -> tensor<1x3x6x6xf32>
func.func @pool(%x : tensor<1x3x8x8xf32>) {
  %0 = graph.max_pool2d %x kernel [2, 2] strides [2, 2] : tensor<1x3x8x8xf32> -> tensor<1x3x4x4xf32>
  %1 = graph.max_pool2d %x kernel [3, 3] strides [2, 2] ceil_mode : tensor<1x3x8x8xf32> -> tensor<1x3x4x4xf32>
  %2 = graph.avg_pool2d %x kernel [3, 3] pads [1, 1, 1, 1] dilations [2, 2] ceil_mode count_include_pad : tensor<1x3x8x8xf32> -> tensor<1x3x6x6xf32>
  func.return
}

// CHECK-LABEL: @reduction
// CHECK-NEXT:  %{{.*}} = graph.sum %{{.*}} [1] : tensor<2x3x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT:  %{{.*}} = graph.max %{{.*}} [0, 1, 2] : tensor<2x3x4xf32> -> tensor<f32>
// CHECK-NEXT:  %{{.*}} = graph.min %{{.*}} [2] keepdims : tensor<2x3x4xf32> -> tensor<2x3x1xf32>
// CHECK-NEXT:  %{{.*}} = graph.mean %{{.*}} [0, 2] keepdims : tensor<2x3x4xf32> -> tensor<1x3x1xf32>
// CHECK-NEXT:  %{{.*}} = graph.prod %{{.*}} [] : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
// CHECK-NEXT:  %{{.*}} = graph.max %{{.*}} [0] : tensor<4xi1> -> tensor<i1>
func.func @reduction(%x : tensor<2x3x4xf32>, %t : tensor<4xi1>) {
  %0 = graph.sum %x [1] : tensor<2x3x4xf32> -> tensor<2x4xf32>
  %1 = graph.max %x [0, 1, 2] : tensor<2x3x4xf32> -> tensor<f32>
  %2 = graph.min %x [2] keepdims : tensor<2x3x4xf32> -> tensor<2x3x1xf32>
  %3 = graph.mean %x [0, 2] keepdims : tensor<2x3x4xf32> -> tensor<1x3x1xf32>
  %4 = graph.prod %x [] : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
  %5 = graph.max %t [0] : tensor<4xi1> -> tensor<i1>
  func.return
}

// CHECK-LABEL: @normalisation
// CHECK-NEXT:  %{{.*}} = graph.softmax %{{.*}} axis 1 : tensor<2x3x4xf32>
// CHECK-NEXT:  %{{.*}} = graph.layer_norm %{{.*}}, %{{.*}} axis 1 epsilon 1.000000e-05 : tensor<2x3x4xf32>, tensor<3x4xf32> -> tensor<2x3x4xf32>
// CHECK-NEXT:  %{{.*}} = graph.layer_norm %{{.*}}, %{{.*}}, %{{.*}} axis 1 epsilon 1.000000e-05 : tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32> -> tensor<2x3x4xf32>
func.func @normalisation(%x : tensor<2x3x4xf32>, %s : tensor<3x4xf32>) {
  %0 = graph.softmax %x axis 1 : tensor<2x3x4xf32>
  %1 = graph.layer_norm %x, %s axis 1 epsilon 1.000000e-05 : tensor<2x3x4xf32>, tensor<3x4xf32> -> tensor<2x3x4xf32>
  %2 = graph.layer_norm %x, %s, %s axis 1 epsilon 1.000000e-05 : tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32> -> tensor<2x3x4xf32>
  func.return
}

// CHECK-LABEL: @movement
// CHECK-NEXT:  %{{.*}} = graph.permute_dims %{{.*}} [2, 0, 1] : tensor<2x3x4xi8> -> tensor<4x2x3xi8>
// CHECK-NEXT:  %{{.*}} = graph.reshape %{{.*}} to <6, 4> : tensor<2x3x4xi8> -> tensor<6x4xi8>
// CHECK-NEXT:  %{{.*}} = graph.reshape %{{.*}} to <d0, ?> : tensor<2x3x4xi8> -> tensor<2x12xi8>
// CHECK-NEXT:  %{{.*}} = graph.reshape %{{.*}} to <d0 * d1, 1, d2> : tensor<2x3x4xi8> -> tensor<6x1x4xi8>
// CHECK-NEXT:  %{{.*}} = graph.broadcast_to %{{.*}} to <5, d0, d1, d2> : tensor<2x3x4xi8> -> tensor<5x2x3x4xi8>
// CHECK-NEXT:  %{{.*}} = graph.concat %{{.*}}, %{{.*}} axis 1 : tensor<2x3x4xi8>, tensor<2x3x4xi8> -> tensor<2x6x4xi8>
// CHECK-NEXT:  %{{.*}} = graph.slice %{{.*}} [:, 1:, ::-1] : tensor<2x3x4xi8> -> tensor<2x2x4xi8>
// CHECK-NEXT:  %{{.*}} = graph.slice %{{.*}} [1:2, :-1, -1:0:-2] : tensor<2x3x4xi8> -> tensor<1x2x2xi8>
// CHECK-NEXT:  %{{.*}} = graph.pad %{{.*}} [0, 1, 0] [0, 1, -2] constant(5 : i8) : tensor<2x3x4xi8> -> tensor<2x5x2xi8>
// CHECK-NEXT:  %{{.*}} = graph.pad %{{.*}} [1, 0, 0] [0, 0, 0] edge : tensor<2x3x4xi8> -> tensor<3x3x4xi8>
// CHECK-NEXT:  %{{.*}} = graph.pad %{{.*}} [1, 0, 0] [0, 0, 0] reflect : tensor<2x3x4xi8> -> tensor<3x3x4xi8>
// CHECK-NEXT:  %{{.*}} = graph.pad %{{.*}} [1, 0, 0] [0, 0, 0] wrap : tensor<2x3x4xi8> -> tensor<3x3x4xi8>
func.func @movement(%x : tensor<2x3x4xi8>) {
  %0 = graph.permute_dims %x [2, 0, 1] : tensor<2x3x4xi8> -> tensor<4x2x3xi8>
  %1 = graph.reshape %x to <6, 4> : tensor<2x3x4xi8> -> tensor<6x4xi8>
  %2 = graph.reshape %x to <d0, ?> : tensor<2x3x4xi8> -> tensor<2x12xi8>
  %3 = graph.reshape %x to <d0 * d1, 1, d2> : tensor<2x3x4xi8> -> tensor<6x1x4xi8>
  %4 = graph.broadcast_to %x to <5, d0, d1, d2> : tensor<2x3x4xi8> -> tensor<5x2x3x4xi8>
  %5 = graph.concat %x, %x axis 1 : tensor<2x3x4xi8>, tensor<2x3x4xi8> -> tensor<2x6x4xi8>
  %6 = graph.slice %x [:, 1:, ::-1] : tensor<2x3x4xi8> -> tensor<2x2x4xi8>
  %7 = graph.slice %x [1:2, :-1, -1:0:-2] : tensor<2x3x4xi8> -> tensor<1x2x2xi8>
  %8 = graph.pad %x [0, 1, 0] [0, 1, -2] constant(5 : i8) : tensor<2x3x4xi8> -> tensor<2x5x2xi8>
  %9 = graph.pad %x [1, 0, 0] [0, 0, 0] edge : tensor<2x3x4xi8> -> tensor<3x3x4xi8>
  %10 = graph.pad %x [1, 0, 0] [0, 0, 0] reflect : tensor<2x3x4xi8> -> tensor<3x3x4xi8>
  %11 = graph.pad %x [1, 0, 0] [0, 0, 0] wrap : tensor<2x3x4xi8> -> tensor<3x3x4xi8>
  func.return
}

// CHECK-LABEL: @constants
// CHECK-NEXT:  %{{.*}} = graph.constant #graph.array<[1.0, -0.0, nan, inf, -inf, 1.0e-05, 0.1] : tensor<7xf32>>
// CHECK-NEXT:  %{{.*}} = graph.constant #graph.array<{{\[\[}}1, -2], [127, -128]] : tensor<2x2xi8>>
// CHECK-NEXT:  %{{.*}} = graph.constant #graph.array<18446744073709551615 : tensor<ui64>>
// CHECK-NEXT:  %{{.*}} = graph.constant #graph.array<[true, false] : tensor<2xi1>>
// CHECK-NEXT:  %{{.*}} = graph.constant #graph.array<{{\[\[}}], []] : tensor<2x0xf64>>
// CHECK-NEXT:  %{{.*}} = graph.constant #graph.array<[0.1, 6.55e+04] : tensor<2xf16>>
// CHECK-NEXT:  %{{.*}} = graph.constant #graph.array<[0.1, 3.39e+38] : tensor<2xbf16>>
// CHECK-NEXT:  %{{.*}} = graph.constant #graph.array<[nan(0xffc00001)] : tensor<1xf32>>
func.func @constants() {
  %0 = graph.constant #graph.array<[1.0, -0.0, nan, inf, -inf, 1.0e-05, 0.1] : tensor<7xf32>>
  %1 = graph.constant #graph.array<[[1, -2], [127, -128]] : tensor<2x2xi8>>
  %2 = graph.constant #graph.array<18446744073709551615 : tensor<ui64>>
  %3 = graph.constant #graph.array<[true, false] : tensor<2xi1>>
  %4 = graph.constant #graph.array<[[], []] : tensor<2x0xf64>>
  %5 = graph.constant #graph.array<[0.1, 6.55e+04] : tensor<2xf16>>
  %6 = graph.constant #graph.array<[0.1, 3.39e+38] : tensor<2xbf16>>
  %7 = graph.constant #graph.array<[nan(0xffc00001)] : tensor<1xf32>>
  func.return
}

// CHECK-LABEL: @named_dims
// CHECK-NEXT:  %{{.*}} = graph.matmul %{{.*}}, %{{.*}} : tensor<?x8xf32, #graph.dims<batch, 8>>, tensor<8x2xf32> -> tensor<?x2xf32, #graph.dims<batch, 2>>
// CHECK-NEXT:  %{{.*}} = graph.concat %{{.*}}, %{{.*}} axis 0 : tensor<?x8xf32, #graph.dims<batch, 8>>, tensor<?x8xf32, #graph.dims<batch, 8>> -> tensor<?x8xf32, #graph.dims<batch * 2, 8>>
// CHECK-NEXT:  %{{.*}} = graph.relu %{{.*}} : tensor<?x?xf32, #graph.dims<?, "a b">>
// CHECK-NEXT:  %{{.*}} = graph.slice %{{.*}} [1:] : tensor<?xf32, #graph.dims<"d0">> -> tensor<?xf32, #graph.dims<max("d0" - 1, 0)>>
// CHECK-NEXT:  %{{.*}} = graph.reshape %{{.*}} to <?> : tensor<?x8xf32, #graph.dims<batch, 8>> -> tensor<?xf32, #graph.dims<batch * 8>>
// CHECK-NEXT:  %{{.*}} = graph.broadcast_to %{{.*}} to <batch, d0, d1> : tensor<8x2xf32> -> tensor<?x8x2xf32, #graph.dims<batch, 8, 2>>
func.func @named_dims(%x : tensor<?x8xf32, #graph.dims<batch, 8>>, %w : tensor<8x2xf32>, %y : tensor<?x?xf32, #graph.dims<?, "a b">>, %p : tensor<?xf32, #graph.dims<"d0">>) {
  %0 = graph.matmul %x, %w : tensor<?x8xf32, #graph.dims<batch, 8>>, tensor<8x2xf32> -> tensor<?x2xf32, #graph.dims<batch, 2>>
  %1 = graph.concat %x, %x axis 0 : tensor<?x8xf32, #graph.dims<batch, 8>>, tensor<?x8xf32, #graph.dims<batch, 8>> -> tensor<?x8xf32, #graph.dims<batch * 2, 8>>
  %2 = graph.relu %y : tensor<?x?xf32, #graph.dims<?, "a b">>
  %3 = graph.slice %p [1:] : tensor<?xf32, #graph.dims<"d0">> -> tensor<?xf32, #graph.dims<max("d0" - 1, 0)>>
  %4 = graph.reshape %x to <?> : tensor<?x8xf32, #graph.dims<batch, 8>> -> tensor<?xf32, #graph.dims<batch * 8>>
  %5 = graph.broadcast_to %w to <batch, d0, d1> : tensor<8x2xf32> -> tensor<?x8x2xf32, #graph.dims<batch, 8, 2>>
  func.return
}

// CHECK-LABEL: @dataflow
// CHECK-NEXT:    %{{.*}} = graph.dataflow -> tensor<4xf32>, tensor<4xf32> {
// CHECK-NEXT:      %[[A:.*]] = graph.relu %{{.*}} : tensor<4xf32>
// CHECK-NEXT:      %[[B:.*]] = graph.negate %[[A]] : tensor<4xf32>
// CHECK-NEXT:      graph.output %[[A]], %[[B]] : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    graph.dataflow {
// CHECK-NEXT:      graph.output
// CHECK-NEXT:    }
func.func @dataflow(%x : tensor<4xf32>) {
  %0, %1 = graph.dataflow -> tensor<4xf32>, tensor<4xf32> {
    %a = graph.relu %x : tensor<4xf32>
    %b = graph.negate %a : tensor<4xf32>
    graph.output %a, %b : tensor<4xf32>, tensor<4xf32>
  }
  graph.dataflow {
    graph.output
  }
  func.return
}

func.func private @matmul_4x8x2(memref<4x8xf32>, memref<8x2xf32>, memref<4x2xf32>)
func.func private @relu_n(index, memref<?xf32>, memref<?xf32>)

// CHECK-LABEL: @calls
// CHECK-NEXT:    %{{.*}} = graph.call_tir @matmul_4x8x2(%{{.*}}, %{{.*}}) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:    %{{.*}} = graph.call_tir @relu_n(%{{.*}}) dims [n] : (tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>>
func.func @calls(%x : tensor<4x8xf32>, %w : tensor<8x2xf32>, %y : tensor<?xf32, #graph.dims<n>>) {
  %0 = graph.call_tir @matmul_4x8x2(%x, %w) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %1 = graph.call_tir @relu_n(%y) dims [n] : (tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>>
  func.return
}

// CHECK-LABEL: @with_attributes
// CHECK-NEXT:    graph.relu %{{.*}} {note = "kept"} : tensor<4xf32>
func.func @with_attributes(%x : tensor<4xf32>) {
  %0 = graph.relu %x {note = "kept"} : tensor<4xf32>
  func.return
}
