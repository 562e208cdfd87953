// RUN: stepwell-opt %s -p fuse-multiply-add | filecheck %s
// RUN: stepwell-opt %s -p fuse-multiply-add,dce | filecheck %s --check-prefix CLEAN
// RUN: stepwell-opt %s -p 'fuse-multiply-add{commuted=true}' | filecheck %s --check-prefix COMMUTED

// (A21) one binding, ewise_fma(x, y, y), once dce has run

// CHECK-LABEL: func.func @product_plus_y(
// CHECK-SAME:      %[[X:[a-z]+]]: tensor<3x4xf32>, %[[Y:[a-z]+]]: tensor<3x4xf32>
// CHECK:         graph.multiply %[[X]], %[[Y]]
// CHECK-NEXT:    %[[S:.*]] = graph.ewise_fma %[[X]], %[[Y]], %[[Y]]
// CHECK-NOT:     graph.add
// CHECK:         graph.output %[[S]]
// CLEAN-LABEL: func.func @product_plus_y(
// CLEAN-NEXT:    graph.dataflow
// CLEAN-NEXT:      %[[S:.*]] = graph.ewise_fma %x, %y, %y : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32> -> tensor<3x4xf32>
// CLEAN-NEXT:      graph.output %[[S]] : tensor<3x4xf32>
func.func @product_plus_y(%x : tensor<3x4xf32>, %y : tensor<3x4xf32>) -> tensor<3x4xf32> {
  %gv = graph.dataflow -> tensor<3x4xf32> {
    %lv = graph.multiply %x, %y : tensor<3x4xf32>, tensor<3x4xf32> -> tensor<3x4xf32>
    %lv1 = graph.add %lv, %y : tensor<3x4xf32>, tensor<3x4xf32> -> tensor<3x4xf32>
    graph.output %lv1 : tensor<3x4xf32>
  }
  func.return %gv : tensor<3x4xf32>
}

// (A22) only operand 0 of the add is looked at, unless asked

// CHECK-LABEL: func.func @product_second(
// CHECK-NOT:     graph.ewise_fma
// CHECK:         func.return
// COMMUTED-LABEL: func.func @product_second(
// COMMUTED:         graph.ewise_fma %x, %y, %c
func.func @product_second(%x : tensor<4xf32>, %y : tensor<4xf32>, %c : tensor<4xf32>) -> tensor<4xf32> {
  %p = graph.multiply %x, %y : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %s = graph.add %c, %p : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return %s : tensor<4xf32>
}

// CHECK-LABEL: func.func @no_product(
// CHECK-NOT:     graph.ewise_fma
// CHECK:         func.return
func.func @no_product(%x : tensor<4xf32>, %c : tensor<4xf32>) -> tensor<4xf32> {
  %p = graph.negate %x : tensor<4xf32>
  %s = graph.add %p, %c : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %t = graph.add %x, %s : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return %t : tensor<4xf32>
}

// (A23) the product stays while something reads it

// CLEAN-LABEL: func.func @product_read_twice(
// CLEAN:         %[[P:.*]] = graph.multiply %x, %y
// CLEAN:         %[[S:.*]] = graph.ewise_fma %x, %y, %c
// CLEAN:         func.return %[[P]], %[[S]]
func.func @product_read_twice(%x : tensor<4xf32>, %y : tensor<4xf32>, %c : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %p = graph.multiply %x, %y : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %s = graph.add %p, %c : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return %p, %s : tensor<4xf32>, tensor<4xf32>
}

// each element of a smaller product would be computed three times

// CHECK-LABEL: func.func @product_is_broadcast(
// CHECK-NOT:     graph.ewise_fma
// CHECK:         func.return
func.func @product_is_broadcast(%x : tensor<4xf32>, %c : tensor<3x4xf32>) -> tensor<3x4xf32> {
  %p = graph.multiply %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %s = graph.add %p, %c : tensor<4xf32>, tensor<3x4xf32> -> tensor<3x4xf32>
  func.return %s : tensor<3x4xf32>
}

// operands of the product and the addend may broadcast

// CHECK-LABEL: func.func @operands_broadcast(
// CHECK:         graph.ewise_fma %x, %y, %c : tensor<3x1xf32>, tensor<4xf32>, tensor<f32> -> tensor<3x4xf32>
func.func @operands_broadcast(%x : tensor<3x1xf32>, %y : tensor<4xf32>, %c : tensor<f32>) -> tensor<3x4xf32> {
  %p = graph.multiply %x, %y : tensor<3x1xf32>, tensor<4xf32> -> tensor<3x4xf32>
  %s = graph.add %p, %c : tensor<3x4xf32>, tensor<f32> -> tensor<3x4xf32>
  func.return %s : tensor<3x4xf32>
}
