// RUN: stepwell-opt %s -t 'c{model=net}' | filecheck %s

// A carried value has one variable in all loops that hand it on.
// CHECK-LABEL: static void net_sum(int64_t n, const float *x, float *y) {
// CHECK:         float first = x[0];
// CHECK:         for (int64_t i = 0; i < n; i++) {
// CHECK-NEXT:      for (int64_t j = 0; j < sw_min(4, n - i); j++) { /* j.inner */
// CHECK-NEXT:        float v = i - 1 >= 0 ? x[i * 4 + j - 4] : 0x1p+0f;
// CHECK-NEXT:        float t = first + v;
// CHECK-NEXT:        first = t;
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    if (n - 1 >= 0) y[0] = first;
func.func @sum(%n : index, %x : memref<?x4xf32>, %y : memref<1xf32>) attributes {dims = ["n"], outputs_count = 1 : i64} {
  loop.shape %x[%n, 4]
  %first = loop.load %x[0, 0] : f32
  %r = loop.for "i" %i = 0 to %n iter(%a = %first) {
    %s = loop.for "j.inner" %j = 0 to min(4, %n - %i) iter(%b = %a) {
      %v = loop.load %x[%i - 1, %j] if (%i - 1 >= 0) else 1.0 : f32
      %t = arith.addf %b, %v : f32
      loop.yield %t
    }
    loop.yield %s
  }
  loop.store %r, %y[0] if (%n - 1 >= 0)
  func.return
}

// What can be negative is divided with the rule, what cannot be is divided plainly.
// CHECK-LABEL: int64_t net_division(int64_t i) {
// CHECK-NEXT:    int64_t a = sw_floordiv(i, 8);
// CHECK:         for (int64_t k = 0; k < 4; k++) {
// CHECK-NEXT:      int64_t b = (k / 3) + ((k + 1) % 5);
func.func @division(%i : index) -> index {
  %a = loop.index %i floordiv 8
  loop.for "k" %k = 0 to 4 {
    %b = loop.index %k floordiv 3 + (%k + 1) mod 5
  }
  func.return %a : index
}

// CHECK-LABEL: int32_t net_countdown(int32_t n) {
// CHECK:         int32_t r;
// CHECK-NEXT:    for (;;) {
// CHECK-NEXT:      _Bool more = n > one;
// CHECK-NEXT:      r = n;
// CHECK-NEXT:      if (!more) break;
// CHECK-NEXT:      int32_t less = (int32_t)((uint32_t)r - (uint32_t)one);
// CHECK-NEXT:      n = less;
// CHECK-NEXT:    }
func.func @countdown(%n : i32) -> i32 {
  %one = arith.constant 1 : i32
  %r = loop.while (%a = %n) {
    %more = arith.cmpi sgt, %a, %one : i32
    loop.condition %more, %a
  } do (%b) {
    %less = arith.subi %b, %one : i32
    loop.yield %less
  }
  func.return %r : i32
}

// CHECK-LABEL: static void net_parallel(
// CHECK:       #ifdef _OPENMP
// CHECK-NEXT:  #pragma omp parallel for
// CHECK-NEXT:  #endif
// CHECK-NEXT:    for (int64_t i = 0; i < 8; i++) { /* parallel */
// CHECK-NEXT:      float *t = (float *)(void *)(ws + i * 64);
// CHECK-NEXT:      float a;
// CHECK-NEXT:      if (i - 4 >= 0) {
// CHECK-NEXT:        float p = 0x1p+0f;
// CHECK-NEXT:        a = p;
// CHECK-NEXT:      } else {
// CHECK-NEXT:        float q = 0x1p+1f;
// CHECK-NEXT:        a = q;
// CHECK-NEXT:      }
// CHECK-NEXT:      t[0] = a;
func.func @parallel(%y : memref<8xf32>, %ws : memref<?xi8>) attributes {outputs_count = 1 : i64, workspace = #loop.map<(512)>} {
  loop.for "i" %i = 0 to 8 parallel {
    %t = loop.view %ws[%i * 64] : memref<4xf32>
    %a = loop.if (%i - 4 >= 0) -> (f32) {
      %p = arith.constant 1.0 : f32
      loop.yield %p
    } else {
      %q = arith.constant 2.0 : f32
      loop.yield %q
    }
    loop.store %a, %t[0]
  }
  func.return
}

// A function that asserts something returns 1 where it does not hold, and so do those that call it.
// CHECK-LABEL: static int net_checked(int64_t n, const float *x) {
// CHECK:         if (!(n - 1 >= 0 && -n + 7 >= 0)) return 1;
// CHECK:         return 0;
// CHECK-LABEL: static int net_calls_it(int64_t n, const float *x) {
// CHECK:         if (net_checked(n, x)) return 1;
// CHECK:         return 0;
// CHECK-LABEL: int net_calls_it_run(
// CHECK:         if (net_calls_it(n, x)) return NET_CALLS_IT_OUT_OF_RANGE;
// CHECK-NEXT:    return NET_CALLS_IT_OK;
func.func private @checked(%n : index, %x : memref<?xf32>) attributes {dims = ["n"]} {
  loop.shape %x[%n]
  loop.assert (%n - 1 >= 0, 7 - %n >= 0), "from 1 to 7"
  func.return
}
func.func @calls_it(%n : index, %x : memref<?xf32>) attributes {dims = ["n"], outputs_count = 0 : i64} {
  loop.shape %x[%n]
  func.call @checked(%n, %x) : (index, memref<?xf32>) -> ()
  func.return
}
