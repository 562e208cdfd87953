// RUN: stepwell-opt %s -t c | filecheck %s

// CHECK-LABEL: float model_single(float x) {
// CHECK-NEXT:    float e = expf(x);
// CHECK-NEXT:    float r = 1.0f / sqrtf(e);
// CHECK-NEXT:    float n = rintf(r);
// CHECK-NEXT:    float a = fabsf(n);
// CHECK-NEXT:    float f = fmaf(a, e, x);
func.func @single(%x : f32) -> f32 {
  %e = math.exp %x : f32
  %r = math.rsqrt %e : f32
  %n = math.roundeven %r : f32
  %a = math.absf %n : f32
  %f = math.fma %a, %e, %x : f32
  func.return %f : f32
}

// CHECK-LABEL: double model_double(double x, double y) {
// CHECK-NEXT:    double p = pow(x, y);
// CHECK-NEXT:    double t = tanh(p);
// CHECK-NEXT:    double m = fmod(t, y);
func.func @double(%x : f64, %y : f64) -> f64 {
  %p = math.powf %x, %y : f64
  %t = math.tanh %p : f64
  %m = loop.remf %t, %y : f64
  func.return %m : f64
}
