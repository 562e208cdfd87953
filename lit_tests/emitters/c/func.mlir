// RUN: stepwell-opt %s -t 'c{model=net}' | filecheck %s
// RUN: stepwell-opt %s -t 'c{model=net header=true}' | filecheck %s --check-prefix HEADER

// CHECK:       #include "net.h"
// CHECK:       _Alignas(64) static const float net_w[2] = {
// CHECK-NEXT:    0x1p+0f, -0x0p+0f,
// CHECK-NEXT:  };
loop.global @w : memref<2xf32> = #graph.array<[1.0, -0.0] : tensor<2xf32>>

// Buffers that are only read are const; `restrict` says what `noalias` says.
// CHECK-LABEL: static void net_scale(const float *restrict x, float *restrict y) {
func.func private @scale(%x : memref<2xf32>, %y : memref<2xf32>) attributes {outputs_count = 1 : i64, noalias} {
  loop.for "i" %i = 0 to 2 {
    %w = loop.get_global @w : memref<2xf32>
    %a = loop.load %x[%i] : f32
    %b = loop.load %w[%i] : f32
    %c = arith.mulf %a, %b : f32
    loop.store %c, %y[%i]
  }
  func.return
}

// CHECK-LABEL: static void net_main(const float *x, float *y) {
// CHECK-NEXT:    net_scale(x, y);
// CHECK-LABEL: int net_run(const float *input_1, float *y, void *workspace) {
// CHECK-NEXT:    if (input_1 == NULL || y == NULL) return NET_NULL_BUFFER;
// CHECK-NEXT:    if (workspace == NULL && net_workspace_size() > 0) return NET_NO_WORKSPACE;
// CHECK-NEXT:    net_main(input_1, y);
// CHECK-NEXT:    return NET_OK;

// HEADER:     enum net_status {
// HEADER:     #define NET_INPUT_0_NAME "input.1"
// HEADER-NEXT: #define NET_INPUT_0_DTYPE "float32"
// HEADER-NEXT: #define NET_INPUT_0_RANK 1
// HEADER-NEXT: #define NET_INPUT_0_SHAPE {2}
// HEADER:      * input_1: input "input.1", float32[2], row-major
// HEADER:     int net_run(const float *input_1, float *y, void *workspace);
// HEADER:     size_t net_workspace_size(void);
func.func @main(%x : memref<2xf32>, %y : memref<2xf32>) attributes {inputs = ["input.1"], outputs = ["y"], outputs_count = 1 : i64} {
  func.call @scale(%x, %y) : (memref<2xf32>, memref<2xf32>) -> ()
  func.return
}
