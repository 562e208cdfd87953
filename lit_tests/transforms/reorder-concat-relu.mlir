// RUN: stepwell-opt %s -p reorder-concat-relu | filecheck %s
// RUN: stepwell-opt %s -p 'reorder-concat-relu{steps=1}' | filecheck %s --check-prefix ONCE
// RUN: stepwell-opt %s -p 'reorder-concat-relu{steps=1},reorder-concat-relu{steps=1}' | filecheck %s --check-prefix TWICE

// (A43, A47) attributes stay; the parts may be arguments

// CHECK-LABEL: func.func @relu_of_concat(
// CHECK-NEXT:    %[[A:.*]] = graph.relu %a {note = 1 : i64} : tensor<2x3xf32>
// CHECK-NEXT:    %[[B:.*]] = graph.relu %b {note = 1 : i64} : tensor<2x4xf32>
// CHECK-NEXT:    %[[Y:.*]] = graph.concat %[[A]], %[[B]] axis 1 {other = 2 : i64} : tensor<2x3xf32>, tensor<2x4xf32> -> tensor<2x7xf32>
// CHECK-NEXT:    func.return %[[Y]]
func.func @relu_of_concat(%a : tensor<2x3xf32>, %b : tensor<2x4xf32>) -> tensor<2x7xf32> {
  %c = graph.concat %a, %b axis 1 {other = 2 : i64} : tensor<2x3xf32>, tensor<2x4xf32> -> tensor<2x7xf32>
  %y = graph.relu %c {note = 1 : i64} : tensor<2x7xf32>
  func.return %y : tensor<2x7xf32>
}

// (A44, A45) another reader needs the concatenation as it is

// CHECK-LABEL: func.func @concat_read_twice(
// CHECK-NEXT:    graph.concat
// CHECK-NEXT:    graph.relu
func.func @concat_read_twice(%a : tensor<2xf32>, %b : tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = graph.concat %a, %b axis 0 : tensor<2xf32>, tensor<2xf32> -> tensor<4xf32>
  %y = graph.relu %c : tensor<4xf32>
  func.return %c, %y : tensor<4xf32>, tensor<4xf32>
}

// (A44) something stands between them

// CHECK-LABEL: func.func @not_direct(
// CHECK-NEXT:    graph.concat
// CHECK-NEXT:    graph.add
// CHECK-NEXT:    graph.relu
func.func @not_direct(%a : tensor<2xf32>, %b : tensor<2xf32>, %d : tensor<4xf32>) -> tensor<4xf32> {
  %c = graph.concat %a, %b axis 0 : tensor<2xf32>, tensor<2xf32> -> tensor<4xf32>
  %s = graph.add %c, %d : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %y = graph.relu %s : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// (A48) all readers of the relu get the new concatenation

// CHECK-LABEL: func.func @relu_read_twice(
// CHECK:         %[[Y:.*]] = graph.concat
// CHECK-NEXT:    %[[N:.*]] = graph.sum %[[Y]]
// CHECK-NEXT:    func.return %[[Y]], %[[N]]
func.func @relu_read_twice(%a : tensor<2xf32>, %b : tensor<2xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %c = graph.concat %a, %b axis 0 : tensor<2xf32>, tensor<2xf32> -> tensor<4xf32>
  %y = graph.relu %c : tensor<4xf32>
  %n = graph.sum %y [0] : tensor<4xf32> -> tensor<f32>
  func.return %y, %n : tensor<4xf32>, tensor<f32>
}

// (A50) one step lands on the inner concatenation, the next goes on from there

// ONCE-LABEL: func.func @nested(
// ONCE:         %[[I:.*]] = graph.concat %a, %b axis 0
// ONCE-NEXT:    %[[R:.*]] = graph.relu %[[I]]
// ONCE-NEXT:    %[[C:.*]] = graph.relu %c
// ONCE-NEXT:    graph.concat %[[R]], %[[C]] axis 0
// TWICE-LABEL: func.func @nested(
// TWICE:         %[[A:.*]] = graph.relu %a
// TWICE-NEXT:    %[[B:.*]] = graph.relu %b
// TWICE-NEXT:    %[[I:.*]] = graph.concat %[[A]], %[[B]] axis 0
// TWICE-NEXT:    %[[C:.*]] = graph.relu %c
// TWICE-NEXT:    graph.concat %[[I]], %[[C]] axis 0
// CHECK-LABEL: func.func @nested(
// CHECK-NEXT:    graph.relu %a
// CHECK-NEXT:    graph.relu %b
// CHECK-NEXT:    graph.concat
// CHECK-NEXT:    graph.relu %c
// CHECK-NEXT:    graph.concat
func.func @nested(%a : tensor<2xf32>, %b : tensor<2xf32>, %c : tensor<1xf32>) -> tensor<5xf32> {
  %i = graph.concat %a, %b axis 0 : tensor<2xf32>, tensor<2xf32> -> tensor<4xf32>
  %o = graph.concat %i, %c axis 0 : tensor<4xf32>, tensor<1xf32> -> tensor<5xf32>
  %y = graph.relu %o : tensor<5xf32>
  func.return %y : tensor<5xf32>
}

// two ops above one concatenation: in one step only the one that reads it moves

// CHECK-LABEL: func.func @two_above(
// CHECK-COUNT-2: graph.relu
// CHECK-COUNT-2: graph.exp
// CHECK-NEXT:    graph.concat
// CHECK-NEXT:    func.return
// ONCE-LABEL: func.func @two_above(
// ONCE:         %[[C:.*]] = graph.concat
// ONCE-NEXT:    graph.exp %[[C]]
func.func @two_above(%a : tensor<2xf32>, %b : tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n + 2>> {
  %c = graph.concat %a, %b axis 0 : tensor<2xf32>, tensor<?xf32, #graph.dims<n>> -> tensor<?xf32, #graph.dims<n + 2>>
  %r = graph.relu %c : tensor<?xf32, #graph.dims<n + 2>>
  %y = graph.exp %r : tensor<?xf32, #graph.dims<n + 2>>
  func.return %y : tensor<?xf32, #graph.dims<n + 2>>
}

// an op that changes the element type

// CHECK-LABEL: func.func @cast(
// CHECK-NEXT:    graph.cast %a : tensor<2xf32> -> tensor<2xi8>
// CHECK-NEXT:    graph.cast %b : tensor<3xf32> -> tensor<3xi8>
// CHECK-NEXT:    graph.concat %{{.*}}, %{{.*}} axis 0 : tensor<2xi8>, tensor<3xi8> -> tensor<5xi8>
func.func @cast(%a : tensor<2xf32>, %b : tensor<3xf32>) -> tensor<5xi8> {
  %c = graph.concat %a, %b axis 0 : tensor<2xf32>, tensor<3xf32> -> tensor<5xf32>
  %y = graph.cast %c : tensor<5xf32> -> tensor<5xi8>
  func.return %y : tensor<5xi8>
}
