// RUN: stepwell-opt %s -t c | filecheck %s

// Sums of integers wrap, so they are made in unsigned types; no op divides by zero.
// CHECK-LABEL: int32_t model_integers(int32_t a, int32_t b) {
// CHECK-NEXT:    int32_t s = (int32_t)((uint32_t)a + (uint32_t)b);
// CHECK-NEXT:    int32_t q = sw_divsi_i32(s, b);
// CHECK-NEXT:    int32_t l = sw_shli_i32(q, a);
// CHECK-NEXT:    _Bool c = (uint32_t)l < (uint32_t)a;
// CHECK-NEXT:    int32_t r = c ? l : a;
// CHECK-NEXT:    return r;
func.func @integers(%a : i32, %b : i32) -> i32 {
  %s = arith.addi %a, %b : i32
  %q = arith.divsi %s, %b : i32
  %l = arith.shli %q, %a : i32
  %c = arith.cmpi ult, %l, %a : i32
  %r = arith.select %c, %l, %a : i32
  func.return %r : i32
}

// NaN passes through maximumf; a comparison that holds for NaN negates the opposite.
// CHECK-LABEL: float model_floats(float a, float b) {
// CHECK-NEXT:    float p = a * b;
// CHECK-NEXT:    float m = sw_maximumf_f32(p, b);
// CHECK-NEXT:    _Bool c = !(m <= a);
// CHECK-NEXT:    float r = c ? m : a;
func.func @floats(%a : f32, %b : f32) -> f32 {
  %p = arith.mulf %a, %b : f32
  %m = arith.maximumf %p, %b : f32
  %c = arith.cmpf ugt, %m, %a : f32
  %r = arith.select %c, %m, %a : f32
  func.return %r : f32
}

// Halves are computed in f32.
// CHECK-LABEL: uint16_t model_halves(uint16_t a, uint16_t b) {
// CHECK-NEXT:    uint16_t s = sw_narrow_f16(sw_widen_f16(a) + sw_widen_f16(b));
// CHECK-NEXT:    uint16_t n = (uint16_t)(s ^ 0x8000u);
func.func @halves(%a : f16, %b : f16) -> f16 {
  %s = arith.addf %a, %b : f16
  %n = arith.negf %s : f16
  func.return %n : f16
}

// CHECK-LABEL: int8_t model_casts(double a) {
// CHECK-NEXT:    float f = (float)a;
// CHECK-NEXT:    int8_t i = sw_fptosi_f32_i8(f);
func.func @casts(%a : f64) -> i8 {
  %f = arith.truncf %a : f64 to f32
  %i = arith.fptosi %f : f32 to i8
  func.return %i : i8
}

// CHECK-LABEL: int64_t model_constants(void) {
// CHECK-NEXT:    int64_t least = INT64_MIN;
// CHECK-NEXT:    (void)least;
// CHECK-NEXT:    float tenth = 0x1.99999ap-4f;
// CHECK-NEXT:    (void)tenth;
// CHECK-NEXT:    double inf = INFINITY;
// CHECK-NEXT:    (void)inf;
// CHECK-NEXT:    uint16_t one = 0x3f80u;
// CHECK-NEXT:    (void)one;
// CHECK-NEXT:    int64_t big = INT64_C(4294967296);
func.func @constants() -> i64 {
  %least = arith.constant -9223372036854775808 : i64
  %tenth = arith.constant 0.1 : f32
  %inf = arith.constant 0x7FF0000000000000 : f64
  %one = arith.constant 1.0 : bf16
  %big = arith.constant 4294967296 : i64
  func.return %big : i64
}
