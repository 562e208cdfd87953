// RUN: stepwell-opt %s -t 'c{target=c-vector}' | filecheck %s
// RUN: stepwell-opt %s -t 'c{target=avx512}' | filecheck %s --check-prefix AVX512
// RUN: stepwell-opt %s -t c | filecheck %s --check-prefix UNSAID
// UNSAID: for target c-vector */

// What a target does not spell is said with the vector extensions of GCC and Clang.
// CHECK: typedef float f32x4 __attribute__((vector_size(16)));
// CHECK: typedef float f32x4u __attribute__((vector_size(16), aligned(4), may_alias));

// CHECK-LABEL: static void model_main(
// CHECK:           i32x4 m = sw_mask_i1x4(n - i * 4);
// CHECK-NEXT:      f32x4 a = *(const f32x4u *)&x[i * 4];
// CHECK-NEXT:      f32x4 s = sw_splat_f32x4(c);
// CHECK-NEXT:      f32x4 p = a * s;
// CHECK-NEXT:      f32x4 k = sw_maximumf_lanes_f32x4(p, s);
// CHECK-NEXT:      i32x4 l = k < a;
// CHECK-NEXT:      f32x4 h = (f32x4){k[3], k[2], a[1], a[0]};
// CHECK-NEXT:      f32x4 q = (f32x4)(((i32x4)h & l) | ((i32x4)a & ~l));
// CHECK-NEXT:      sw_masked_store_f32x4_i1x4(&y[i * 4], m, q);
// CHECK-NEXT:      float r = sw_reduce_add_f32x4(c, q);
// AVX512: f32x4 b = __builtin_ia32_loadups128_mask((const void *)&x[i * 4], sw_splat_f32x4(0x1p+0f), __builtin_ia32_cvtd2mask128(m));
// AVX512: f32x4 f = sw_fma_f32x4(b, s, b);
func.func @main(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {dims = ["n"], outputs_count = 1 : i64} {
  loop.shape %x[%n]
  loop.shape %y[%n]
  %c = arith.constant 0.5 : f32
  loop.for "i" %i = 0 to (%n + 3) floordiv 4 {
    %m = simd.mask %n - %i * 4 : vector<4xi1>
    %a = simd.load %x[%i * 4] : vector<4xf32>
    %s = simd.broadcast %c : vector<4xf32>
    %p = arith.mulf %a, %s : vector<4xf32>
    %k = arith.maximumf %p, %s : vector<4xf32>
    %l = simd.compare "olt" %k, %a : vector<4xf32>
    %h = simd.shuffle %k, %a [3, 2, 5, 4] : vector<4xf32>
    %q = simd.select %l, %h, %a : vector<4xf32>
    simd.masked_store %m, %q, %y[%i * 4]
    %r = simd.reduce "add" %c, %q : vector<4xf32>
    %b = simd.masked_load %m, %x[%i * 4] else 1.0 : f32 : vector<4xf32>
    %f = simd.fma %b, %s, %b : vector<4xf32>
  }
  func.return
}
