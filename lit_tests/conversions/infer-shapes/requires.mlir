// RUN: stepwell-opt %s -p infer-shapes --split-input-file | filecheck %s

// A window has to fit; the size of the result, h - 2, follows from that.
// CHECK-LABEL: @window(
// CHECK-SAME:      attributes {requires = #graph.dims<h - 3>}
func.func @window(%x : tensor<1x1x?x8xf32, #graph.dims<1, 1, h, 8>>, %w : tensor<1x1x3x3xf32>) {
  %y = graph.conv2d %x, %w : tensor<1x1x?x8xf32, #graph.dims<1, 1, h, 8>>, tensor<1x1x3x3xf32> -> tensor<1x1x?x6xf32>
  func.return
}

// -----

// Padding makes room: h + 2 - 3 is less than what the pool after it wants, h - 4, so that says it.
// CHECK-LABEL: @windows(
// CHECK-SAME:      attributes {requires = #graph.dims<h - 4>}
// CHECK-LABEL: @padded(
// CHECK-NOT:       requires
func.func @windows(%x : tensor<1x1x?x8xf32, #graph.dims<1, 1, h, 8>>, %w : tensor<1x1x3x3xf32>) {
  %y = graph.conv2d %x, %w pads [1, 1, 1, 1] : tensor<1x1x?x8xf32, #graph.dims<1, 1, h, 8>>, tensor<1x1x3x3xf32> -> tensor<1x1x?x8xf32>
  %z = graph.max_pool2d %y kernel [4, 4] : tensor<1x1x?x8xf32> -> tensor<1x1x?x5xf32>
  func.return
}
func.func @padded(%x : tensor<?xf32, #graph.dims<n>>) {
  %y = graph.pad %x [1] [2] constant(0.0 : f32) : tensor<?xf32, #graph.dims<n>> -> tensor<?xf32>
  func.return
}

// -----

// What remains of a reshape is a whole number; where equal factors cancel, nothing has to hold.
// CHECK-LABEL: @rest(
// CHECK-SAME:      attributes {requires = #graph.dims<-(n mod 2)>}
// CHECK-LABEL: @cancels(
// CHECK-NOT:       requires
func.func @rest(%x : tensor<?xf32, #graph.dims<n>>) {
  %y = graph.reshape %x to <2, ?> : tensor<?xf32, #graph.dims<n>> -> tensor<2x?xf32>
  func.return
}
func.func @cancels(%x : tensor<?x6xf32, #graph.dims<n, 6>>) {
  %y = graph.reshape %x to <d0, 2, ?> : tensor<?x6xf32, #graph.dims<n, 6>> -> tensor<?x2x3xf32>
  func.return
}

// -----

// A divisor that may be 0: then nothing may be there to divide.
// CHECK-LABEL: @rest_of_a_size(
// CHECK-SAME:      attributes {requires = #graph.dims<(n floordiv m) * m - n>}
func.func @rest_of_a_size(%x : tensor<?xf32, #graph.dims<n>>, %z : tensor<?xf32, #graph.dims<m>>) {
  %y = graph.reshape %x to <m, ?> : tensor<?xf32, #graph.dims<n>> -> tensor<?x?xf32>
  func.return
}

// -----

// Two numbers of elements that no symbol makes equal are an equality, which is two entries.
// CHECK-LABEL: @equal(
// CHECK-SAME:      attributes {requires = #graph.dims<n - (n floordiv 2) * 2, -n + (n floordiv 2) * 2>}
func.func @equal(%x : tensor<?xf32, #graph.dims<n>>) {
  %y = graph.reshape %x to <2, n floordiv 2> : tensor<?xf32, #graph.dims<n>> -> tensor<2x?xf32>
  func.return
}

// -----

// Repeating the edge wants an edge; taking away wants something to take away.
// CHECK-LABEL: @edge(
// CHECK-SAME:      attributes {requires = #graph.dims<n - 1>}
// CHECK-LABEL: @less(
// CHECK-SAME:      attributes {requires = #graph.dims<n - 2>}
func.func @edge(%x : tensor<?xf32, #graph.dims<n>>) {
  %y = graph.pad %x [1] [0] edge : tensor<?xf32, #graph.dims<n>> -> tensor<?xf32>
  func.return
}
func.func @less(%x : tensor<?xf32, #graph.dims<n>>) {
  %y = graph.pad %x [-2] [5] constant(0.0 : f32) : tensor<?xf32, #graph.dims<n>> -> tensor<?xf32>
  func.return
}

// -----

// Only who can be called from outside says it, for itself and for those it calls.
// CHECK-LABEL: @inner(
// CHECK-NOT:       requires
// CHECK-SAME:      {
// CHECK-LABEL: @outer(
// CHECK-SAME:      attributes {requires = #graph.dims<-((m * 2) mod 3)>}
// CHECK-LABEL: @alone(
// CHECK-SAME:      attributes {requires = #graph.dims<-(m mod 3)>}
// CHECK-LABEL: @calls_alone(
// CHECK-SAME:      attributes {requires = #graph.dims<-(m mod 3)>}
func.func private @inner(%x : tensor<?xf32>) {
  %y = graph.reshape %x to <3, ?> : tensor<?xf32> -> tensor<3x?xf32>
  func.return
}
func.func @outer(%x : tensor<?x2xf32, #graph.dims<m, 2>>) {
  %y = graph.reshape %x to <?> : tensor<?x2xf32, #graph.dims<m, 2>> -> tensor<?xf32>
  func.call @inner(%y) : (tensor<?xf32>) -> ()
  func.return
}
func.func @alone(%x : tensor<?xf32, #graph.dims<m>>) {
  %y = graph.reshape %x to <3, ?> : tensor<?xf32, #graph.dims<m>> -> tensor<3x?xf32>
  func.return
}
func.func @calls_alone(%x : tensor<?xf32, #graph.dims<m>>) {
  func.call @alone(%x) : (tensor<?xf32, #graph.dims<m>>) -> ()
  func.return
}

// -----

// What was said before stays, with the symbols that are bound here.
// CHECK-LABEL: @keeps(
// CHECK-SAME:      attributes {requires = #graph.dims<b - 7>}
func.func @keeps(%x : tensor<?xf32, #graph.dims<b>>, %y : tensor<?xf32, #graph.dims<a>>) attributes {requires = #graph.dims<a - 7>} {
  %z = graph.add %x, %y : tensor<?xf32, #graph.dims<b>>, tensor<?xf32, #graph.dims<a>> -> tensor<?xf32>
  func.return
}
