// RUN: stepwell-opt %s -p lower | filecheck %s
// RUN: stepwell-opt %s -p 'lower{stop-after=loop pipeline=reference}' | filecheck %s --check-prefix LOOP
// RUN: stepwell-opt %s -p 'lower{target=avx2}' | filecheck %s --check-prefix AVX2
// RUN: stepwell-opt %s -p 'lower{target=avx2}' -t c{target=avx2} | filecheck %s --check-prefix C
// RUN: not stepwell-opt %s -p 'lower{stop-after=lop}' 2>&1 | filecheck %s --check-prefix STAGE
// RUN: not stepwell-opt %s -p 'lower{pipeline=fast}' 2>&1 | filecheck %s --check-prefix PIPELINE

// CHECK-LABEL: func.func private @add
// CHECK:         loop.for "{{.*}}" %{{.*}} = 0 to 16
// CHECK:           arith.addf %{{.*}}, %{{.*}} : f32

// LOOP-LABEL:  func.func @main(%a: tensor<16xf32>
// LOOP:          graph.call_tir @add(%a, %b)

// AVX2:        simd.load %{{.*}} : vector<8xf32>

// C:           int model_run(const float *a, const float *b, float *output0, void *workspace) {

// STAGE:       error: {{.*}}no stage 'lop': the stages are graph, fused, loop
// PIPELINE:    error: {{.*}}no pipeline 'fast': it is optimised or reference
func.func @main(%a : tensor<16xf32>, %b : tensor<16xf32>) -> tensor<16xf32> {
  %c = graph.add %a, %b : tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  func.return %c : tensor<16xf32>
}
