// RUN: stepwell-opt %s -p 'assign-schedules{target=avx2}' | filecheck %s
// RUN: stepwell-opt %s -p 'assign-schedules{target=generic}' | filecheck %s --check-prefix=GENERIC
// RUN: not stepwell-opt %s -p 'assign-schedules{target=z80}' 2>&1 | filecheck %s --check-prefix=TARGET

// Whole buffers are one loop, so that rows shorter than a register do not matter; the rest goes one by one.
// CHECK-LABEL: @whole
// CHECK-SAME:    schedule = #loop.schedule<["fuse add/i add/j", "peel add/i.j (extent floordiv 8) * 8", "split add/i.j 8", "kind vectorized add/i.j.inner"]>
// GENERIC-LABEL: @whole
// GENERIC-NOT:   schedule
// TARGET: error: no target 'z80'
func.func @whole(%x : memref<5x10xf32>, %y : memref<5x10xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 5 {
    loop.for "j" %j = 0 to 10 {
      loop.block "add" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %x[%vi, %vj]) writes(%y[%vi, %vj]) {
        %s = arith.addf %a, %a : f32
        loop.yield %s
      }
    }
  }
  func.return
}

// 4 rows and one vector of 8 columns: a tile of sums in registers.
// CHECK-LABEL: @sums
// CHECK-SAME:    "split mm/i 4", "reorder mm/i.outer mm/j mm/k mm/i.inner", "split mm/j 8", "reorder mm/j.outer mm/k mm/i.inner mm/j.inner", "kind vectorized mm/j.inner", "kind unrolled mm/i.inner", "cache-write mm/j.outer"
func.func @sums(%A : memref<4x6xf32>, %B : memref<6x8xf32>, %C : memref<4x8xf32>) attributes {outputs_count = 1 : i64} {
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

// A sum along the lanes would be in another order: it stays.
// CHECK-LABEL: @rows
// CHECK-NOT:   schedule
func.func @rows(%x : memref<4x64xf32>, %y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.for "k" %k = 0 to 64 {
      loop.block "sum" (%vi : spatial = %i, %vk : reduce = %k) reads(%a = %x[%vi, %vk]) writes(%s = %y[%vi]) init {
        %z = arith.constant 0.0 : f32
        loop.yield %z
      } {
        %t = arith.addf %s, %a : f32
        loop.yield %t
      }
    }
  }
  func.return
}
