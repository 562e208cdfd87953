// RUN: stepwell-opt %s -p 'convert-loop-to-simd{target=avx2 strict=true}' | filecheck %s
// RUN: stepwell-opt %s -p 'convert-loop-to-simd{target=avx2}' | filecheck %s --check-prefix FMA
// RUN: stepwell-opt %s -p 'convert-loop-to-simd{target=c-vector}' | filecheck %s --check-prefix C-VECTOR
// RUN: stepwell-opt %s -p convert-loop-to-simd | filecheck %s --check-prefix GENERIC

// CHECK-LABEL: @add
// CHECK:         loop.for "i.outer" %i = 0 to 16 {
// CHECK-NEXT:      %x = simd.load %a[%i * 8] : vector<8xf32>
// CHECK-NEXT:      %y = simd.load %b[%i * 8] : vector<8xf32>
// CHECK-NEXT:      %z = arith.addf %x, %y : vector<8xf32>
// CHECK-NEXT:      simd.store %z, %c[%i * 8]
// CHECK-NEXT:    }
// C-VECTOR-LABEL: @add
// C-VECTOR-COUNT-4: simd.load {{.*}} : vector<4xf32>
// GENERIC-LABEL: @add
// GENERIC:       loop.for "i.inner" %j = 0 to 8 {
// GENERIC-NEXT:    %x = loop.load %a[%i * 8 + %j] : f32
func.func @add(%a: memref<128xf32>, %b: memref<128xf32>, %c: memref<128xf32>) {
  loop.for "i.outer" %i = 0 to 16 {
    loop.for "i.inner" %j = 0 to 8 vectorized {
      loop.block "add" (%vi : spatial = %i * 8 + %j) reads(%x = %a[%vi], %y = %b[%vi]) writes(%c[%vi]) {
        %z = arith.addf %x, %y : f32
        loop.yield %z
      }
    }
  }
  func.return
}

// The rest of an extent is a scalar loop.
// CHECK-LABEL: @rest
// CHECK-NEXT:    %x = simd.load %a[0] : vector<8xf32>
// CHECK-NEXT:    simd.store %x, %c[0]
// CHECK-NEXT:    loop.for "i" %i = 8 to 11 {
// CHECK-NEXT:      %x_1 = loop.load %a[%i] : f32
// CHECK-NEXT:      loop.store %x_1, %c[%i]
func.func @rest(%a: memref<11xf32>, %c: memref<11xf32>) {
  loop.for "i" %i = 0 to 11 vectorized {
    loop.block "copy" (%vi : spatial = %i) reads(%x = %a[%vi]) writes(%c[%vi]) {
      loop.yield %x
    }
  }
  func.return
}

// A reduction: its init first; a product and a sum become one op where that is allowed and the target has it.
// CHECK-LABEL: @matmul
// CHECK:           simd.store {{.*}}, %c[%i * 8]
// CHECK:           loop.for "k" %k = 0 to 5 {
// CHECK-NEXT:        %x = loop.load %a[%i * 5 + %k] : f32
// CHECK-NEXT:        %y = simd.load %b[%k * 8] : vector<8xf32>
// CHECK-NEXT:        %o = simd.load %c[%i * 8] : vector<8xf32>
// CHECK-NEXT:        %[[X:.*]] = simd.broadcast %x : vector<8xf32>
// CHECK-NEXT:        %p = arith.mulf %[[X]], %y : vector<8xf32>
// CHECK-NEXT:        %s = arith.addf %o, %p : vector<8xf32>
// CHECK-NEXT:        simd.store %s, %c[%i * 8]
// FMA-LABEL: @matmul
// FMA:               %s = simd.fma %{{.*}}, %y, %o : vector<8xf32>
func.func @matmul(%a: memref<20xf32>, %b: memref<40xf32>, %c: memref<32xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.for "k" %k = 0 to 5 {
      loop.for "j" %j = 0 to 8 vectorized {
        loop.block "matmul" (%vi : spatial = %i, %vj : spatial = %j, %vk : reduce = %k)
            reads(%x = %a[%vi * 5 + %vk], %y = %b[%vk * 8 + %vj]) writes(%o = %c[%vi * 8 + %vj]) init {
          %z = arith.constant 0.0 : f32
          loop.yield %z
        } {
          %p = arith.mulf %x, %y : f32
          %s = arith.addf %o, %p : f32
          loop.yield %s
        }
      }
    }
  }
  func.return
}

// A register buffer becomes values that the loop carries.
// CHECK-LABEL: @registers
// CHECK-NOT:     loop.alloc
// CHECK:         %[[T:.*]] = loop.for "k" %k = 0 to 6 iter(%[[A:.*]] = %{{.*}}) {
// CHECK-NEXT:      %x = simd.load %a[%k * 8] : vector<8xf32>
// CHECK-NEXT:      %s = arith.addf %[[A]], %x : vector<8xf32>
// CHECK-NEXT:      loop.yield %s
// CHECK-NEXT:    }
// CHECK-NEXT:    simd.store %[[T]], %c[0]
// GENERIC-LABEL: @registers
// GENERIC:       loop.alloc "local" : memref<8xf32>
func.func @registers(%a: memref<48xf32>, %c: memref<8xf32>) {
  %t = loop.alloc "register" : memref<8xf32>
  loop.for "j" %j = 0 to 8 vectorized {
    loop.block "zero" (%vj : spatial = %j) reads() writes(%t[%vj]) {
      %z = arith.constant 0.0 : f32
      loop.yield %z
    }
  }
  loop.for "k" %k = 0 to 6 {
    loop.for "j" %j = 0 to 8 vectorized {
      loop.block "sum" (%vj : spatial = %j, %vk : reduce = %k)
          reads(%x = %a[%vk * 8 + %vj]) writes(%o = %t[%vj]) {
        %s = arith.addf %o, %x : f32
        loop.yield %s
      }
    }
  }
  loop.for "j" %j = 0 to 8 vectorized {
    loop.block "out" (%vj : spatial = %j) reads(%x = %t[%vj]) writes(%c[%vj]) {
      loop.yield %x
    }
  }
  func.return
}

// Guards on the lane are masks, or where there are none, a condition with the scalar loop as its other side.
// CHECK-LABEL: @masks
// CHECK:           %[[M:.*]] = simd.mask %n - %i * 8 : vector<8xi1>
// CHECK-NEXT:      %x = simd.masked_load %[[M]], %a[%i * 8] else 1.000000e+00 : f32 : vector<8xf32>
// CHECK-NEXT:      simd.masked_store %[[M]], %x, %c[%i * 8]
// C-VECTOR-LABEL: @masks
// C-VECTOR:        loop.if (%n - %i * 8 - 4 >= 0) {
// C-VECTOR-NEXT:     %x = simd.load %a[%i * 8] : vector<4xf32>
// C-VECTOR-NEXT:     simd.store %x, %c[%i * 8]
// C-VECTOR-NEXT:   } else {
// C-VECTOR-NEXT:     loop.for "j" %j = 0 to 4 {
func.func @masks(%n: index, %a: memref<?xf32>, %c: memref<?xf32>) {
  loop.shape %a[%n]
  loop.shape %c[%n]
  loop.for "i" %i = 0 to (%n + 7) floordiv 8 {
    loop.for "j" %j = 0 to 8 vectorized {
      loop.block "copy" (%vi : spatial = %i * 8 + %j, %vn : param = %n)
          reads(%x = %a[%vi] if (%vn - %vi - 1 >= 0) else 1.0 : f32) writes(%c[%vi] if (%vn - %vi - 1 >= 0)) {
        loop.yield %x
      }
    }
  }
  func.return
}

// What lanes cannot do stays a loop, and says why.
// CHECK-LABEL: @refused
// CHECK:         loop.for "i" %i = 0 to 8 attributes {not_vectorized = "a lane may meet an element of %c that another one writes"} {
func.func @refused(%a: memref<8xf32>, %c: memref<9xf32>) {
  loop.for "i" %i = 0 to 8 vectorized {
    loop.block "scan" (%vi : ordered = %i) reads(%x = %a[%vi], %y = %c[%vi]) writes(%c[%vi + 1]) {
      %z = arith.addf %x, %y : f32
      loop.yield %z
    }
  }
  func.return
}

// CHECK-LABEL: @unrolled
// CHECK-NEXT:    %x = loop.load %a[3] : f32
// CHECK-NEXT:    loop.store %x, %c[0]
// CHECK-NEXT:    %x_1 = loop.load %a[4] : f32
// CHECK-NEXT:    loop.store %x_1, %c[1]
// CHECK-NEXT:    func.return
func.func @unrolled(%a: memref<8xf32>, %c: memref<2xf32>) {
  loop.for "i" %i = 0 to 2 unrolled {
    loop.block "copy" (%vi : spatial = %i) reads(%x = %a[%vi + 3]) writes(%c[%vi]) {
      loop.yield %x
    }
  }
  func.return
}

// Loops that say nothing stay as they are.
// CHECK-LABEL: @keeps_serial_and_parallel
// CHECK:         loop.for "i" %i = 0 to 8 parallel {
// CHECK-NEXT:      loop.for "j" %j = 0 to 8 {
// CHECK-NEXT:        %x = loop.load %a[%i * 8 + %j] : f32
// CHECK-NOT:     simd
func.func @keeps_serial_and_parallel(%a: memref<64xf32>, %c: memref<64xf32>) {
  loop.for "i" %i = 0 to 8 parallel {
    loop.for "j" %j = 0 to 8 {
      loop.block "copy" (%vi : spatial = %i, %vj : spatial = %j)
          reads(%x = %a[%vi * 8 + %vj]) writes(%c[%vi * 8 + %vj]) {
        loop.yield %x
      }
    }
  }
  func.return
}
