// RUN: stepwell-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: error: a tensor of floats expected, found tensor<4xi32>
func.func @unary_element(%x : tensor<4xi32>) {
  %0 = graph.exp %x : tensor<4xi32>
  func.return
}

// -----

// CHECK: error: a tensor of numbers expected, found f32
func.func @unary_not_a_tensor(%x : f32) {
  %0 = graph.relu %x : f32
  func.return
}

// -----

// CHECK: error: a tensor of numbers expected, found tensor<4xi1>
func.func @relu_of_truth(%x : tensor<4xi1>) {
  %0 = graph.relu %x : tensor<4xi1>
  func.return
}

// -----

// CHECK: error: 'graph.relu': the result has shape [5], inferred [4]
func.func @result_shape(%x : tensor<4xf32>) {
  %0 = graph.relu %x : tensor<4xf32> -> tensor<5xf32>
  func.return
}

// -----

// CHECK: error: 'graph.relu': the result has shape [5], inferred [?]
func.func @result_knows_more(%x : tensor<?xf32>) {
  %0 = graph.relu %x : tensor<?xf32> -> tensor<5xf32>
  func.return
}

// -----

// CHECK: error: a tensor of truth values (i1) expected, found tensor<4xf32>
func.func @result_element(%x : tensor<4xf32>) {
  %0 = graph.is_nan %x : tensor<4xf32> -> tensor<4xf32>
  func.return
}

// -----

// CHECK: error: 'graph.add': element types differ: f32 and f64
func.func @binary_elements(%x : tensor<4xf32>, %y : tensor<4xf64>) {
  %0 = graph.add %x, %y : tensor<4xf32>, tensor<4xf64> -> tensor<4xf32>
  func.return
}

// -----

// CHECK: error: 'graph.add': sizes on axis 1 of [2, 3] and [2, 4] do not broadcast: 3 and 4
func.func @binary_broadcast(%x : tensor<2x3xf32>, %y : tensor<2x4xf32>) {
  %0 = graph.add %x, %y : tensor<2x3xf32>, tensor<2x4xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.add': the result has shape [3, 1], inferred [3, 4]
func.func @binary_result(%x : tensor<3x1xf32>, %y : tensor<4xf32>) {
  %0 = graph.add %x, %y : tensor<3x1xf32>, tensor<4xf32> -> tensor<3x1xf32>
  func.return
}

// -----

// CHECK: error: a tensor of integers expected, found tensor<4xf32>
func.func @shift_of_floats(%x : tensor<4xf32>) {
  %0 = graph.shift_left %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return
}

// -----

// CHECK: error: a tensor of truth values (i1) expected, found tensor<4xi8>
func.func @logic_of_integers(%x : tensor<4xi8>) {
  %0 = graph.logical_and %x, %x : tensor<4xi8>, tensor<4xi8> -> tensor<4xi8>
  func.return
}

// -----

// CHECK: error: 'graph.modulo': a remainder of floats has the sign of the dividend: `fmod` is missing
func.func @float_modulo(%x : tensor<4xf32>) {
  %0 = graph.modulo %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return
}

// -----

// CHECK: error: a tensor of truth values (i1) expected, found tensor<4xi8>
func.func @compare_result(%x : tensor<4xf32>) {
  %0 = graph.less %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xi8>
  func.return
}

// -----

// CHECK: error: 'graph.equal': element types differ: i1 and i8
func.func @equal_elements(%x : tensor<4xi1>, %y : tensor<4xi8>) {
  %0 = graph.equal %x, %y : tensor<4xi1>, tensor<4xi8> -> tensor<4xi1>
  func.return
}

// -----

// CHECK: error: a tensor of truth values (i1) expected, found tensor<4xf32>
func.func @select_condition(%x : tensor<4xf32>) {
  %0 = graph.select %x, %x, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return
}

// -----

// CHECK: error: 'graph.cast': the result has shape [5], inferred [4]
func.func @cast_shape(%x : tensor<4xf32>) {
  %0 = graph.cast %x : tensor<4xf32> -> tensor<5xi8>
  func.return
}

// -----

// CHECK: error: 'graph.matmul': inner sizes differ: 8 and 9
func.func @matmul_inner(%x : tensor<4x8xf32>, %y : tensor<9x2xf32>) {
  %0 = graph.matmul %x, %y : tensor<4x8xf32>, tensor<9x2xf32> -> tensor<4x2xf32>
  func.return
}

// -----

// CHECK: error: 'graph.matmul': a matrix product has no scalar operands, found [], [2]
func.func @matmul_scalar(%x : tensor<f32>, %y : tensor<2xf32>) {
  %0 = graph.matmul %x, %y : tensor<f32>, tensor<2xf32> -> tensor<2xf32>
  func.return
}

// -----

// CHECK: error: 'graph.matmul': sizes on axis 0 of [2] and [3] do not broadcast: 2 and 3
func.func @matmul_batch(%x : tensor<2x4x8xf32>, %y : tensor<3x8x2xf32>) {
  %0 = graph.matmul %x, %y : tensor<2x4x8xf32>, tensor<3x8x2xf32> -> tensor<2x4x2xf32>
  func.return
}

// -----

// CHECK: error: 'graph.matmul': inner sizes differ: n and n + 1
func.func @matmul_never_equal(%x : tensor<4x?xf32, #graph.dims<4, n>>, %y : tensor<?x2xf32, #graph.dims<n + 1, 2>>) {
  %0 = graph.matmul %x, %y : tensor<4x?xf32, #graph.dims<4, n>>, tensor<?x2xf32, #graph.dims<n + 1, 2>> -> tensor<4x2xf32>
  func.return
}

// -----

// CHECK: error: 'graph.conv2d': input channels and filter channels times groups differ: 4 and 3
func.func @conv_channels(%x : tensor<1x4x9x9xf32>, %w : tensor<8x3x3x3xf32>) {
  %0 = graph.conv2d %x, %w : tensor<1x4x9x9xf32>, tensor<8x3x3x3xf32> -> tensor<1x8x7x7xf32>
  func.return
}

// -----

// CHECK: error: 'graph.conv2d': 8 output channels do not split into 3 groups
func.func @conv_groups(%x : tensor<1x4x9x9xf32>, %w : tensor<8x2x3x3xf32>) {
  %0 = graph.conv2d %x, %w groups 3 : tensor<1x4x9x9xf32>, tensor<8x2x3x3xf32> -> tensor<1x8x7x7xf32>
  func.return
}

// -----

// CHECK: error: 'graph.conv2d': the filter must have rank 4, found [8, 4, 3]
func.func @conv_rank(%x : tensor<1x4x9x9xf32>, %w : tensor<8x4x3xf32>) {
  %0 = graph.conv2d %x, %w : tensor<1x4x9x9xf32>, tensor<8x4x3xf32> -> tensor<1x8x7x7xf32>
  func.return
}

// -----

// CHECK: error: 'graph.conv2d': output channels and bias differ: 8 and 7
func.func @conv_bias(%x : tensor<1x4x9x9xf32>, %w : tensor<8x4x3x3xf32>, %b : tensor<7xf32>) {
  %0 = graph.conv2d %x, %w, %b : tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32>, tensor<7xf32> -> tensor<1x8x7x7xf32>
  func.return
}

// -----

// CHECK: error: 'graph.conv2d': strides [0, 1] must be positive
func.func @conv_stride(%x : tensor<1x4x9x9xf32>, %w : tensor<8x4x3x3xf32>) {
  %0 = graph.conv2d %x, %w strides [0, 1] : tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32> -> tensor<1x8x7x7xf32>
  func.return
}

// -----

// CHECK: error: 'graph.conv2d': a window over two axes has 2 sizes, strides and dilations and 4 pads, found 2, 2, 2 and 2
func.func @conv_pads(%x : tensor<1x4x9x9xf32>, %w : tensor<8x4x3x3xf32>) {
  %0 = graph.conv2d %x, %w pads [1, 1] : tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32> -> tensor<1x8x7x7xf32>
  func.return
}

// -----

// CHECK: error: 'graph.conv2d': pads [-1, 0, 0, 0] must not be negative
func.func @conv_negative_pads(%x : tensor<1x4x9x9xf32>, %w : tensor<8x4x3x3xf32>) {
  %0 = graph.conv2d %x, %w pads [-1, 0, 0, 0] : tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32> -> tensor<1x8x7x7xf32>
  func.return
}

// -----

// CHECK: error: 'graph.conv2d': a window of 11 does not fit an axis of 9 padded by 0 and 0
func.func @conv_too_large(%x : tensor<1x4x9x9xf32>, %w : tensor<8x4x3x3xf32>) {
  %0 = graph.conv2d %x, %w dilations [5, 1] : tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32> -> tensor<1x8x1x7xf32>
  func.return
}

// -----

// CHECK: error: 'graph.conv2d': the window of a filter has a known size, found [?, 3]
func.func @conv_unknown_window(%x : tensor<1x4x9x9xf32>, %w : tensor<8x4x?x3xf32>) {
  %0 = graph.conv2d %x, %w : tensor<1x4x9x9xf32>, tensor<8x4x?x3xf32> -> tensor<1x8x7x7xf32>
  func.return
}

// -----

// CHECK: error: 'graph.max_pool2d': pads [2, 0, 0, 0] hold a whole window: 2 on axis 2
func.func @pool_pads(%x : tensor<1x3x8x8xf32>) {
  %0 = graph.max_pool2d %x kernel [2, 2] pads [2, 0, 0, 0] : tensor<1x3x8x8xf32> -> tensor<1x3x9x7xf32>
  func.return
}

// -----

// CHECK: error: 'graph.max_pool2d': the input must have rank 4, found [3, 8, 8]
func.func @pool_rank(%x : tensor<3x8x8xf32>) {
  %0 = graph.max_pool2d %x kernel [2, 2] : tensor<3x8x8xf32> -> tensor<3x7x7xf32>
  func.return
}

// -----

// CHECK: error: a tensor of floats expected, found tensor<1x3x8x8xi8>
func.func @pool_mean_of_integers(%x : tensor<1x3x8x8xi8>) {
  %0 = graph.avg_pool2d %x kernel [2, 2] : tensor<1x3x8x8xi8> -> tensor<1x3x7x7xi8>
  func.return
}

// -----

// CHECK: error: 'graph.sum': axis 2 is out of range for rank 2
func.func @reduce_axis(%x : tensor<2x3xf32>) {
  %0 = graph.sum %x [2] : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.sum': axes [1, 1] name an axis twice
func.func @reduce_twice(%x : tensor<2x3xf32>) {
  %0 = graph.sum %x [1, 1] : tensor<2x3xf32> -> tensor<2xf32>
  func.return
}

// -----

// CHECK: error: 'graph.sum': axes [1, 0] must be ascending and counted from the front
func.func @reduce_order(%x : tensor<2x3xf32>) {
  %0 = graph.sum %x [1, 0] : tensor<2x3xf32> -> tensor<f32>
  func.return
}

// -----

// CHECK: error: a tensor of numbers expected, found tensor<4xi1>
func.func @sum_of_truth(%x : tensor<4xi1>) {
  %0 = graph.sum %x [0] : tensor<4xi1> -> tensor<i1>
  func.return
}

// -----

// CHECK: error: 'graph.softmax': axis 2 is out of range for rank 2
func.func @softmax_axis(%x : tensor<2x3xf32>) {
  %0 = graph.softmax %x axis 2 : tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.layer_norm': sizes on axis 1 of [2, 3] and [2] do not broadcast: 3 and 2
func.func @layer_norm_scale(%x : tensor<2x3xf32>, %s : tensor<2xf32>) {
  %0 = graph.layer_norm %x, %s axis 1 epsilon 1.000000e-05 : tensor<2x3xf32>, tensor<2xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.layer_norm': the scale [3] does not broadcast to [2, 1]
func.func @layer_norm_grows(%x : tensor<2x1xf32>, %s : tensor<3xf32>) {
  %0 = graph.layer_norm %x, %s axis 1 epsilon 1.000000e-05 : tensor<2x1xf32>, tensor<3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.permute_dims': [0, 0] is no permutation of 2 axes
func.func @permutation(%x : tensor<2x3xf32>) {
  %0 = graph.permute_dims %x [0, 0] : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.reshape': numbers of elements before and after differ: 6 and 7
func.func @reshape_count(%x : tensor<2x3xf32>) {
  %0 = graph.reshape %x to <7> : tensor<2x3xf32> -> tensor<7xf32>
  func.return
}

// -----

// CHECK: error: 'graph.reshape': 6 elements do not fill a shape with 4 in the other axes
func.func @reshape_remainder(%x : tensor<2x3xf32>) {
  %0 = graph.reshape %x to <4, ?> : tensor<2x3xf32> -> tensor<4x1xf32>
  func.return
}

// -----

// CHECK: error: 'graph.reshape': at most one size of a reshape is inferred, found [?, ?]
func.func @reshape_two_unknown(%x : tensor<2x3xf32>) {
  %0 = graph.reshape %x to <?, ?> : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.reshape': d2 is out of range for an operand of rank 2
func.func @reshape_axis(%x : tensor<2x3xf32>) {
  %0 = graph.reshape %x to <d2, 6> : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.reshape': a size is never negative, found -6
func.func @reshape_negative(%x : tensor<2x3xf32>) {
  %0 = graph.reshape %x to <-6> : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.broadcast_to': sizes on axis 0 of [2, 3] and [4, 3] differ: 4 and 2
func.func @broadcast_size(%x : tensor<2x3xf32>) {
  %0 = graph.broadcast_to %x to <4, 3> : tensor<2x3xf32> -> tensor<4x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.broadcast_to': sizes on axis 0 of [2, 3] and [1, 3] differ: 1 and 2
func.func @broadcast_to_one(%x : tensor<2x3xf32>) {
  %0 = graph.broadcast_to %x to <1, 3> : tensor<2x3xf32> -> tensor<1x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.broadcast_to': [2, 3] does not broadcast to [3]
func.func @broadcast_rank(%x : tensor<2x3xf32>) {
  %0 = graph.broadcast_to %x to <3> : tensor<2x3xf32> -> tensor<3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.broadcast_to': every size of a broadcast is given, found [?, 3]
func.func @broadcast_unknown(%x : tensor<2x3xf32>) {
  %0 = graph.broadcast_to %x to <?, 3> : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.concat': sizes on axis 1 differ: 3 and 4
func.func @concat_sizes(%x : tensor<2x3xf32>, %y : tensor<2x4xf32>) {
  %0 = graph.concat %x, %y axis 0 : tensor<2x3xf32>, tensor<2x4xf32> -> tensor<4x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.concat': ranks differ: [2, 3] and [3]
func.func @concat_ranks(%x : tensor<2x3xf32>, %y : tensor<3xf32>) {
  %0 = graph.concat %x, %y axis 0 : tensor<2x3xf32>, tensor<3xf32> -> tensor<3x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.concat': axis 2 is out of range for rank 2
func.func @concat_axis(%x : tensor<2x3xf32>) {
  %0 = graph.concat %x, %x axis 2 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.slice': a slice of rank 2 has as many starts, ends and steps, found 1, 1 and 1
func.func @slice_rank(%x : tensor<2x3xf32>) {
  %0 = graph.slice %x [:] : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.slice': a step is not 0, found [1, 0]
func.func @slice_step(%x : tensor<2x3xf32>) {
  %0 = graph.slice %x [:, ::0] : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.slice': the result has shape [2, 3], inferred [2, 2]
func.func @slice_result(%x : tensor<2x3xf32>) {
  %0 = graph.slice %x [:, 1:9] : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.pad': a padding of rank 2 has as many amounts before and after, found 1 and 2
func.func @pad_amounts(%x : tensor<2x3xf32>) {
  %0 = graph.pad %x [0] [0, 0] edge : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.pad': axis 0 of [2, 3] has fewer elements than [-2, 0] and [-1, 0] take away
func.func @pad_too_little(%x : tensor<2x3xf32>) {
  %0 = graph.pad %x [-2, 0] [-1, 0] edge : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.pad': axis 0 of [0] has no element to pad with
func.func @pad_of_nothing(%x : tensor<0xf32>) {
  %0 = graph.pad %x [1] [0] edge : tensor<0xf32> -> tensor<1xf32>
  func.return
}

// -----

// CHECK: error: 'graph.pad': the value is a number of type f32, found 1 : i32
func.func @pad_value(%x : tensor<2x3xf32>) {
  %0 = graph.pad %x [0, 0] [0, 0] constant(1 : i32) : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: Expected one of 'constant', 'edge', 'reflect', 'wrap'
func.func @pad_mode(%x : tensor<2x3xf32>) {
  %0 = graph.pad %x [0, 0] [0, 0] mirror : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.relu': 2 dims are named for a tensor of rank 1
func.func @dims_rank(%x : tensor<?xf32, #graph.dims<n, m>>) {
  %0 = graph.relu %x : tensor<?xf32, #graph.dims<n, m>>
  func.return
}

// -----

// CHECK: error: 'graph.relu': axis 0 is 4 in the shape and n in #graph.dims
func.func @dims_contradict(%x : tensor<4xf32, #graph.dims<n>>) {
  %0 = graph.relu %x : tensor<4xf32, #graph.dims<n>>
  func.return
}

// -----

// CHECK: error: 'graph.relu': axis 0: d0 names a dim of an operand; a type has symbols only
func.func @dims_of_an_operand(%x : tensor<?xf32, #graph.dims<d0>>) {
  %0 = graph.relu %x : tensor<?xf32, #graph.dims<d0>>
  func.return
}

// -----

// CHECK: error: 'graph.relu': the encoding of a tensor is #graph.dims<…> or nothing, found 3 : i32
func.func @dims_encoding(%x : tensor<?xf32, 3 : i32>) {
  %0 = graph.relu %x : tensor<?xf32, 3 : i32>
  func.return
}

// -----

// CHECK: error: index expression expected: a number, a variable, min(…), max(…) or (…)
func.func @dims_unreadable(%x : tensor<?xf32, #graph.dims<n +>>) {
  func.return
}

// -----

// CHECK: error: 3 elements expected on axis 0, found 2 elements
func.func @array_count() {
  %0 = graph.constant #graph.array<[1.0, 2.0] : tensor<3xf32>>
  func.return
}

// -----

// CHECK: error: 1 elements expected on axis 1, found a number
func.func @array_nested() {
  %0 = graph.constant #graph.array<[[1.0], 2.0] : tensor<2x1xf32>>
  func.return
}

// -----

// CHECK: error: elements of f32 are written with a point, found 1
func.func @array_integer_as_float() {
  %0 = graph.constant #graph.array<[1] : tensor<1xf32>>
  func.return
}

// -----

// CHECK: error: 128 is no i8
func.func @array_range() {
  %0 = graph.constant #graph.array<[128] : tensor<1xi8>>
  func.return
}

// -----

// CHECK: error: elements of i1 are true or false, found 1
func.func @array_truth() {
  %0 = graph.constant #graph.array<[1] : tensor<1xi1>>
  func.return
}

// -----

// CHECK: error: 0x7f800000 are not the bits of a NaN
func.func @array_nan_bits() {
  %0 = graph.constant #graph.array<[nan(0x7f800000)] : tensor<1xf32>>
  func.return
}

// -----

// CHECK: error: the type of an array is a tensor with a static shape
func.func @array_dynamic() {
  %0 = graph.constant #graph.array<[1.0] : tensor<?xf32>>
  func.return
}

// -----

// CHECK: error: no array can hold elements of type index
func.func @array_element() {
  %0 = graph.constant #graph.array<[1] : tensor<1xindex>>
  func.return
}

// -----

// CHECK: error: no array sha256:00000000000000000000000000000000 is at hand: it was printed as a key, and neither this process nor a loaded side file holds its elements
func.func @array_absent() {
  %0 = graph.constant #graph.array<"sha256:00000000000000000000000000000000" : tensor<784x128xf32>>
  func.return
}

// -----

// CHECK: error: #graph.array expected
func.func @constant_of_what() {
  %0 = graph.constant 3 : i32
  func.return
}

// -----

// CHECK: error: 'graph.relu': ends a block of 'graph.dataflow' but is not a terminator
func.func @dataflow_end(%x : tensor<4xf32>) {
  %0 = graph.dataflow -> tensor<4xf32> {
    %a = graph.relu %x : tensor<4xf32>
  }
  func.return
}

// -----

// CHECK: error: 'graph.dataflow': 1 results, inferred 0
func.func @dataflow_results(%x : tensor<4xf32>) {
  %0 = graph.dataflow -> tensor<4xf32> {
    graph.output
  }
  func.return
}

// -----

// CHECK: error: 'graph.dataflow': the result has shape [5], inferred [4]
func.func @dataflow_type(%x : tensor<4xf32>) {
  %0 = graph.dataflow -> tensor<5xf32> {
    graph.output %x : tensor<4xf32>
  }
  func.return
}

// -----

// CHECK: error: 'graph.call_tir': no symbol @nowhere in this module
func.func @call_missing(%x : tensor<4xf32>) {
  %0 = graph.call_tir @nowhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: error: 'graph.call_tir': @callee has 2 arguments, the call 3: 0 dims, 2 inputs and 1 outputs
func.func private @callee(memref<4xf32>, memref<4xf32>)
func.func @call_count(%x : tensor<4xf32>) {
  %0 = graph.call_tir @callee(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: error: 'graph.call_tir': argument 0 of @callee is memref<4xf32>, which the call does not match
func.func private @callee(memref<4xf32>, memref<4xf32>)
func.func @call_type(%x : tensor<5xf32>) {
  %0 = graph.call_tir @callee(%x) : (tensor<5xf32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: error: 'graph.call_tir': the dims of a call are numbers and expressions over symbols, found #graph.dims<?>
func.func private @callee(memref<4xf32>, memref<4xf32>)
func.func @call_dims(%x : tensor<4xf32>) {
  %0 = graph.call_tir @callee(%x) dims [?] : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: error: 'graph.call_tir': @callee has 2 arguments, the call 3: 1 dims, 1 inputs and 1 outputs
func.func private @callee(memref<4xf32>, memref<4xf32>)
func.func @call_needs_no_dims(%x : tensor<4xf32>) {
  %0 = graph.call_tir @callee(%x) dims [3] : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: error: a tensor of numbers expected, found tensor<4xi7>
func.func @no_array_holds_i7(%x : tensor<4xi7>) {
  %0 = graph.add %x, %x : tensor<4xi7>, tensor<4xi7> -> tensor<4xi7>
  func.return
}

// -----

// CHECK: error: a tensor of floats expected, found tensor<4xcomplex<f32>>
func.func @a_complex_number_is_no_float(%x : tensor<4xcomplex<f32>>) {
  %0 = graph.exp %x : tensor<4xcomplex<f32>>
  func.return
}

// -----

// CHECK: error: a tensor of numbers or truth values expected, found tensor<4xvector<2xi32>>
func.func @a_vector_is_no_element(%x : tensor<4xvector<2xi32>>) {
  %0 = graph.permute_dims %x [0] : tensor<4xvector<2xi32>> -> tensor<4xvector<2xi32>>
  func.return
}

// -----

// CHECK: error: 'graph.concat': axis -1 must be counted from the front
func.func @concat_axis_from_the_end(%x : tensor<2x3xf32>) {
  %0 = graph.concat %x, %x axis -1 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x6xf32>
  func.return
}

// -----

// CHECK: error: 'graph.softmax': axis -1 must be counted from the front
func.func @softmax_axis_from_the_end(%x : tensor<2x3xf32>) {
  %0 = graph.softmax %x axis -1 : tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.layer_norm': axis -1 must be counted from the front
func.func @layer_norm_axis_from_the_end(%x : tensor<2x3xf32>, %s : tensor<3xf32>) {
  %0 = graph.layer_norm %x, %s axis -1 epsilon 1.0e-5 : tensor<2x3xf32>, tensor<3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: 'graph.slice': a step is at most 1099511627776, found [4611686018427387904]
func.func @slice_step_of_62_bits(%x : tensor<3xf32>) {
  %0 = "graph.slice"(%x) <{starts = array<i64: 0>, ends = array<i64: 3>, steps = array<i64: 4611686018427387904>}> : (tensor<3xf32>) -> tensor<1xf32>
  func.return
}
