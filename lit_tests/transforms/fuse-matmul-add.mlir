// RUN: stepwell-opt %s -p fuse-matmul-add | filecheck %s
// RUN: stepwell-opt %s -p fuse-matmul-add,fuse-matmul-add | filecheck %s
// RUN: stepwell-opt %s -p 'fuse-matmul-add{allow-multiple-uses=true commuted=true}' | filecheck %s --check-prefix ALL

// (A28, A29, A30, A31) two layers; a second run changes nothing

// CHECK:       func.func private @fused_matmul_add0(%x: tensor<1x784xf32>, %w: tensor<784x128xf32>, %b: tensor<128xf32>) -> tensor<1x128xf32> attributes {primitive = 1 : i64}
// CHECK-NEXT:    %[[P:.*]] = graph.matmul %x, %w
// CHECK-NEXT:    %[[S:.*]] = graph.add %[[P]], %b
// CHECK-NEXT:    func.return %[[S]]
// CHECK:       func.func private @fused_matmul_add1(%x: tensor<1x128xf32>, %w: tensor<128x10xf32>, %b: tensor<10xf32>) -> tensor<1x10xf32> attributes {primitive = 1 : i64}
// CHECK-LABEL: func.func @two_layers(
// CHECK-NEXT:    %[[W0:.*]] = graph.permute_dims
// CHECK-NEXT:    %[[L0:.*]] = func.call @fused_matmul_add0(%x, %[[W0]], %b0)
// CHECK-NEXT:    %[[R:.*]] = graph.relu %[[L0]]
// CHECK-NEXT:    %[[W1:.*]] = graph.permute_dims
// CHECK-NEXT:    %[[L1:.*]] = func.call @fused_matmul_add1(%[[R]], %[[W1]], %b1)
// CHECK-NEXT:    func.return %[[L1]]
func.func @two_layers(%x : tensor<1x784xf32>, %w0 : tensor<128x784xf32>, %b0 : tensor<128xf32>, %w1 : tensor<10x128xf32>, %b1 : tensor<10xf32>) -> tensor<1x10xf32> {
  %lv = graph.permute_dims %w0 [1, 0] : tensor<128x784xf32> -> tensor<784x128xf32>
  %lv1 = graph.matmul %x, %lv : tensor<1x784xf32>, tensor<784x128xf32> -> tensor<1x128xf32>
  %lv2 = graph.add %lv1, %b0 : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
  %lv3 = graph.relu %lv2 : tensor<1x128xf32>
  %lv4 = graph.permute_dims %w1 [1, 0] : tensor<10x128xf32> -> tensor<128x10xf32>
  %lv5 = graph.matmul %lv3, %lv4 : tensor<1x128xf32>, tensor<128x10xf32> -> tensor<1x10xf32>
  %gv = graph.add %lv5, %b1 : tensor<1x10xf32>, tensor<10xf32> -> tensor<1x10xf32>
  func.return %gv : tensor<1x10xf32>
}

// (A33) the product has a second reader, and would be computed twice

// CHECK-LABEL: func.func @product_read_twice(
// CHECK-NEXT:    graph.matmul
// CHECK-NEXT:    graph.add
// ALL-LABEL: func.func @product_read_twice(
// ALL-NEXT:    %[[P:.*]] = graph.matmul %a, %w
// ALL-NEXT:    %[[S:.*]] = func.call @fused_matmul_add2(%a, %w, %c)
// ALL-NEXT:    func.return %[[P]], %[[S]]
func.func @product_read_twice(%a : tensor<2x3xf32>, %w : tensor<3x4xf32>, %c : tensor<4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %p = graph.matmul %a, %w : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  %s = graph.add %p, %c : tensor<2x4xf32>, tensor<4xf32> -> tensor<2x4xf32>
  func.return %p, %s : tensor<2x4xf32>, tensor<2x4xf32>
}

// the product is both operands of the addition

// CHECK-LABEL: func.func @doubled(
// CHECK-NEXT:    graph.matmul
// CHECK-NEXT:    graph.add
func.func @doubled(%a : tensor<2x3xf32>, %w : tensor<3x4xf32>) -> tensor<2x4xf32> {
  %p = graph.matmul %a, %w : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  %s = graph.add %p, %p : tensor<2x4xf32>, tensor<2x4xf32> -> tensor<2x4xf32>
  func.return %s : tensor<2x4xf32>
}

// the sum has a higher rank, or more rows, than the product

// CHECK-LABEL: func.func @addend_of_rank_5(
// CHECK-NEXT:    graph.matmul
// CHECK-NEXT:    graph.add
func.func @addend_of_rank_5(%a : tensor<2x4xf32>, %w : tensor<4x3xf32>, %c : tensor<1x1x1x1x3xf32>) -> tensor<1x1x1x2x3xf32> {
  %p = graph.matmul %a, %w : tensor<2x4xf32>, tensor<4x3xf32> -> tensor<2x3xf32>
  %s = graph.add %p, %c : tensor<2x3xf32>, tensor<1x1x1x1x3xf32> -> tensor<1x1x1x2x3xf32>
  func.return %s : tensor<1x1x1x2x3xf32>
}

// CHECK-LABEL: func.func @product_is_broadcast(
// CHECK-NEXT:    graph.matmul
// CHECK-NEXT:    graph.add
func.func @product_is_broadcast(%a : tensor<1x4xf32>, %w : tensor<4x3xf32>, %c : tensor<5x3xf32>) -> tensor<5x3xf32> {
  %p = graph.matmul %a, %w : tensor<1x4xf32>, tensor<4x3xf32> -> tensor<1x3xf32>
  %s = graph.add %p, %c : tensor<1x3xf32>, tensor<5x3xf32> -> tensor<5x3xf32>
  func.return %s : tensor<5x3xf32>
}

// a column, a matrix and a batch are all right

// CHECK:       func.func private @fused_matmul_add2(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %b: tensor<4x1xf32>)
// CHECK-LABEL: func.func @column(
// CHECK-NEXT:    func.call @fused_matmul_add2(%a, %w, %c)
func.func @column(%a : tensor<4x4xf32>, %w : tensor<4x4xf32>, %c : tensor<4x1xf32>) -> tensor<4x4xf32> {
  %p = graph.matmul %a, %w : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %s = graph.add %p, %c : tensor<4x4xf32>, tensor<4x1xf32> -> tensor<4x4xf32>
  func.return %s : tensor<4x4xf32>
}

// CHECK:       func.func private @fused_matmul_add3(%x: tensor<?x3x4xf32, #graph.dims<batch, 3, 4>>
// CHECK-LABEL: func.func @batch(
// CHECK-NEXT:    func.call @fused_matmul_add3(%a, %w, %c)
func.func @batch(%a : tensor<?x3x4xf32, #graph.dims<batch, 3, 4>>, %w : tensor<4x5xf32>, %c : tensor<5xf32>) -> tensor<?x3x5xf32, #graph.dims<batch, 3, 5>> {
  %p = graph.matmul %a, %w : tensor<?x3x4xf32, #graph.dims<batch, 3, 4>>, tensor<4x5xf32> -> tensor<?x3x5xf32, #graph.dims<batch, 3, 5>>
  %s = graph.add %p, %c : tensor<?x3x5xf32, #graph.dims<batch, 3, 5>>, tensor<5xf32> -> tensor<?x3x5xf32, #graph.dims<batch, 3, 5>>
  func.return %s : tensor<?x3x5xf32, #graph.dims<batch, 3, 5>>
}

// CHECK-LABEL: func.func @product_second(
// CHECK-NEXT:    graph.matmul
// ALL-LABEL: func.func @product_second(
// ALL-NEXT:    func.call
func.func @product_second(%a : tensor<2x3xf32>, %w : tensor<3x4xf32>, %c : tensor<4xf32>) -> tensor<2x4xf32> {
  %p = graph.matmul %a, %w : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  %s = graph.add %c, %p : tensor<4xf32>, tensor<2x4xf32> -> tensor<2x4xf32>
  func.return %s : tensor<2x4xf32>
}

// (A31) what is primitive already is skipped

// CHECK-LABEL: func.func private @primitive(
// CHECK-NEXT:    graph.matmul
// CHECK-NEXT:    graph.add
func.func private @primitive(%a : tensor<2x3xf32>, %w : tensor<3x4xf32>, %c : tensor<4xf32>) -> tensor<2x4xf32> attributes {primitive = 1 : i64} {
  %p = graph.matmul %a, %w : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  %s = graph.add %p, %c : tensor<2x4xf32>, tensor<4xf32> -> tensor<2x4xf32>
  func.return %s : tensor<2x4xf32>
}
