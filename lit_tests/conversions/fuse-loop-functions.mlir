// RUN: stepwell-opt %s -p convert-graph-to-loop,fuse-loop-functions | filecheck %s

// Row A41. The caller uses call_tir; the relu of the caller stays.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %y = graph.call_tir @fused_matmul_add0(%x, %w, %b) : (tensor<1x8xf32>, tensor<8x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT:    %{{.*}} = graph.call_tir @relu(%y)
// CHECK-NEXT:    func.return

// Row A40. One loop function of the same name: x, w, b, output; a local buffer between nests that are not merged.
// Row A41. `noalias` stays; `primitive` and `layout_free` are gone.
// CHECK-LABEL: func.func private @fused_matmul_add0(
// CHECK-SAME:    %x: memref<1x8xf32>, %w: memref<8x4xf32>, %b: memref<4xf32>, %output: memref<1x4xf32>) attributes {outputs_count = 1 : i64, noalias} {
// CHECK-NEXT:    %t = loop.alloc "global" : memref<1x4xf32>
// CHECK-NEXT:    loop.for "i"
// CHECK-NEXT:      loop.for "j"
// CHECK-NEXT:        loop.for "k"
// CHECK-NEXT:          loop.block "matmul"
// CHECK-NEXT:              reads(%{{.*}} = %x[%vi, %vk], %{{.*}} = %w[%vk, %vj])
// CHECK-NEXT:              writes(%{{.*}} = %t[%vi, %vj]) init {
// CHECK:         loop.for "ax0"
// CHECK-NEXT:      loop.for "ax1"
// CHECK-NEXT:        loop.block "add"
// CHECK-NEXT:            reads(%{{.*}} = %t[%vax0, %vax1], %{{.*}} = %b[%vax1])
// CHECK-NEXT:            writes(%output[%vax0, %vax1])

// Row A41. What nobody calls any more is gone.
// CHECK-NOT:   func.func private @matmul
// CHECK-NOT:   func.func private @add
// CHECK:       func.func private @relu(
func.func @main(%x : tensor<1x8xf32>, %w : tensor<8x4xf32>, %b : tensor<4xf32>) -> tensor<1x4xf32> {
  %y = func.call @fused_matmul_add0(%x, %w, %b) : (tensor<1x8xf32>, tensor<8x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  %z = graph.relu %y : tensor<1x4xf32>
  func.return %z : tensor<1x4xf32>
}
func.func private @fused_matmul_add0(%x : tensor<1x8xf32>, %w : tensor<8x4xf32>, %b : tensor<4xf32>) -> tensor<1x4xf32>
    attributes {primitive = 1 : i64} {
  %t = graph.matmul %x, %w : tensor<1x8xf32>, tensor<8x4xf32> -> tensor<1x4xf32>
  %u = graph.add %t, %b : tensor<1x4xf32>, tensor<4xf32> -> tensor<1x4xf32>
  func.return %u : tensor<1x4xf32>
}
