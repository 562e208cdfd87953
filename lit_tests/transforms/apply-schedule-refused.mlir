// RUN: not stepwell-opt %s -p 'apply-schedule' 2>&1 | filecheck %s

// The step that is not legal is named, with loop, block and reason.
// CHECK: apply-schedule-refused.mlir:5: error: function @sums: step 'kind parallel mm/k': k feeds a reduce axis of mm
func.func @sums(%A : memref<4x6xf32>, %B : memref<6x8xf32>, %C : memref<4x8xf32>) attributes {outputs_count = 1 : i64, schedule = #loop.schedule<["split mm/j 4", "kind parallel mm/k"]>} {
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 8 {
      loop.for "k" %k = 0 to 6 {
        loop.block "mm" (%vi : spatial = %i, %vj : spatial = %j, %vk : reduce = %k)
            reads(%a = %A[%vi, %vk], %b = %B[%vk, %vj]) writes(%c = %C[%vi, %vj]) init {
          %z = arith.constant 0.0 : f32
          loop.yield %z
        } {
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          loop.yield %s
        }
      }
    }
  }
  func.return
}
