// RUN: stepwell-opt %s -p flatten-storage | filecheck %s

// CHECK-LABEL: @row_major
// CHECK-SAME:    (%a: memref<32xf32>, %b: memref<8xf32>, %c: memref<32xf32>)
// CHECK-SAME:    shapes = [#loop.map<(4, 8)>, #loop.map<(8)>, #loop.map<(4, 8)>]
// CHECK:         reads(%x = %a[%vi * 8 + %vj], %y = %b[%vj])
// CHECK:         writes(%c[%vi * 8 + %vj])
func.func @row_major(%a: memref<4x8xf32>, %b: memref<8xf32>, %c: memref<4x8xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 8 {
      loop.block "add" (%vi : spatial = %i, %vj : spatial = %j)
          reads(%x = %a[%vi, %vj], %y = %b[%vj])
          writes(%c[%vi, %vj]) {
        %z = arith.addf %x, %y : f32
        loop.yield %z
      }
    }
  }
  func.return
}

// Padding becomes conditions on what the indices were; those that always hold are left out.
// CHECK-LABEL: @padding
// CHECK:         reads(%x = %a[%vi * 8 + %vj - 9] if (%vi - 1 >= 0, %vj - 1 >= 0, -%vj + 8 >= 0) else 1.000000e+00 : f32, %y = %b[%vj])
// CHECK:         writes(%c[%vi * 10 + %vj])
func.func @padding(%a: memref<4x8xf32>, %b: memref<10xf32>, %c: memref<5x10xf32>) {
  loop.for "i" %i = 0 to 5 {
    loop.for "j" %j = 0 to 10 {
      loop.block "pad" (%vi : spatial = %i, %vj : spatial = %j)
          reads(%x = %a[%vi - 1, %vj - 1] else 1.0 : f32, %y = %b[%vj] else 2.0 : f32)
          writes(%c[%vi, %vj]) clip {
        %z = arith.addf %x, %y : f32
        loop.yield %z
      }
    }
  }
  func.return
}

// CHECK-LABEL: @clipped
// CHECK:         writes(%c[%vi * 6 + %vj] if (-%vj + 5 >= 0)) {
func.func @clipped(%c: memref<4x6xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 8 {
      loop.block "fill" (%vi : spatial = %i, %vj : spatial = %j) reads() writes(%c[%vi, %vj]) clip {
        %z = arith.constant 1.0 : f32
        loop.yield %z
      }
    }
  }
  func.return
}

// Strides known at run time reach a block through a param iterator.
// CHECK-LABEL: @dynamic
// CHECK-SAME:    shapes = [#loop.map<(d0, d1, 3)>, #loop.map<(d1)>]
// CHECK:         loop.shape %a[%m * %n * 3]
// CHECK:         loop.shape %b[%n]
// CHECK:         %t = loop.alloc "global" [%n * 4] : memref<?xf32>
// CHECK:         loop.block "copy" (%vi : spatial = %i, %vj : spatial = %j, %n_1 : param = %n)
// CHECK:         reads(%x = %a[%vi * %n_1 * 3 + %vj * 3 + 2], %k = %b[%vj], %y = %t[%k * 4 + 1])
func.func @dynamic(%m: index, %n: index, %a: memref<?x?x3xf32>, %b: memref<?xi64>) {
  loop.shape %a[%m, %n, 3]
  loop.shape %b[%n]
  %t = loop.alloc "global" [%n] : memref<?x4xf32>
  loop.for "i" %i = 0 to %m {
    loop.for "j" %j = 0 to %n {
      loop.block "copy" (%vi : spatial = %i, %vj : spatial = %j)
          reads(%x = %a[%vi, %vj, 2], %k = %b[%vj], %y = %t[%k, 1])
          writes(%t[%vj, 3]) {
        %z = arith.addf %x, %y : f32
        loop.yield %z
      }
    }
  }
  func.return
}

// CHECK:       loop.global @w : memref<4xf32> = #graph.array<[1.0, 2.0, 3.0, 4.0] : tensor<4xf32>>
loop.global @w : memref<2x2xf32> = #graph.array<[[1.0, 2.0], [3.0, 4.0]] : tensor<2x2xf32>>

// CHECK-LABEL: @scalar_accesses
// CHECK:         %w = loop.get_global @w : memref<4xf32>
// CHECK:         %v = loop.load %w[%i * 2 + 1] : f32
// CHECK:         loop.store %v, %y[%i * 8 + 3] if (%i - 1 >= 0)
// CHECK:         func.call @callee(%y) : (memref<16xf32>) -> ()
func.func @scalar_accesses(%i: index, %y: memref<2x8xf32>) {
  %w = loop.get_global @w : memref<2x2xf32>
  %v = loop.load %w[%i, 1] : f32
  loop.store %v, %y[%i, 3] if (%i - 1 >= 0)
  func.call @callee(%y) : (memref<2x8xf32>) -> ()
  func.return
}

// CHECK:       @callee(memref<16xf32>)
func.func private @callee(memref<2x8xf32>) -> ()

// Ranks 0 and 1 stay as they are.
// CHECK-LABEL: @keeps_flat(%a: memref<8xf32>, %s: memref<f32>) {
// CHECK:         reads(%x = %a[%vi])
// CHECK-NEXT:    writes(%t = %s[])
func.func @keeps_flat(%a: memref<8xf32>, %s: memref<f32>) {
  loop.for "i" %i = 0 to 8 {
    loop.block "sum" (%vi : reduce = %i) reads(%x = %a[%vi]) writes(%t = %s[]) {
      %z = arith.addf %t, %x : f32
      loop.yield %z
    }
  }
  func.return
}

// A buffer without elements keeps its indices.
// CHECK-LABEL: @empty
// CHECK:         writes(%y[%vi * 2 + %vk * 2 + %vj])
func.func @empty(%y: memref<4x0x2xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.for "k" %k = 0 to 0 {
      loop.for "j" %j = 0 to 2 {
        loop.block "fill" (%vi : spatial = %i, %vk : spatial = %k, %vj : spatial = %j) reads() writes(%y[%vi, %vk, %vj]) {
          %z = arith.constant 1.0 : f32
          loop.yield %z
        }
      }
    }
  }
  func.return
}
