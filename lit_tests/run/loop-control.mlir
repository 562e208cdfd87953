// RUN: stepwell run %s --values

// By hand: carried values, conditions with results, and loops until a condition holds.
// Euclid's algorithm.
// VALUE: gcd([48, 18]) = 6
// VALUE: gcd([17, 5]) = 1
func.func @gcd(%x : memref<2xi64>, %y : memref<i64>) attributes {outputs_count = 1 : i64} {
  %0 = arith.constant 0 : i64
  %a = loop.load %x[0] : i64
  %b = loop.load %x[1] : i64
  %r:2 = loop.while (%p = %a, %q = %b) {
    %c = arith.cmpi ne, %q, %0 : i64
    loop.condition %c, %p, %q
  } do (%m, %n) {
    %t = arith.remsi %m, %n : i64
    loop.yield %n, %t
  }
  loop.store %r#0, %y[]
  func.return
}
// VALUE: fibonacci([1]) = [1, 1, 2, 3, 5, 8]
func.func @fibonacci(%x : memref<1xi32>, %y : memref<6xi32>) attributes {outputs_count = 1 : i64} {
  %0 = arith.constant 0 : i32
  %1 = loop.load %x[0] : i32
  %r:2 = loop.for "i" %i = 0 to 6 iter(%a = %0, %b = %1) {
    loop.store %b, %y[%i]
    %s = arith.addi %a, %b : i32
    loop.yield %b, %s
  }
  func.return
}
// A loop that never runs gives back what it was given.
// VALUE: carried([1.5]) = 1.5
func.func @carried(%x : memref<1xf32>, %y : memref<f32>) attributes {outputs_count = 1 : i64} {
  %a = loop.load %x[0] : f32
  %r = loop.for "i" %i = 3 to 3 iter(%b = %a) {
    %s = arith.addf %b, %b : f32
    loop.yield %s
  }
  loop.store %r, %y[]
  func.return
}
// VALUE: chosen([1, 2, 3, 4]) = [10, 2, 30, 4]
func.func @chosen(%x : memref<4xi32>, %y : memref<4xi32>) attributes {outputs_count = 1 : i64} {
  %10 = arith.constant 10 : i32
  loop.for "i" %i = 0 to 4 {
    %a = loop.load %x[%i] : i32
    %r = loop.if (%i mod 2 - 1 >= 0) -> (i32) {
      loop.yield %a
    } else {
      %t = arith.muli %a, %10 : i32
      loop.yield %t
    }
    loop.store %r, %y[%i]
  }
  func.return
}
// Loads and stores with conditions: memory is not touched where they do not hold.
// VALUE: guarded([1, 2, 3]) = [5, 1, 2]
func.func @guarded(%x : memref<3xi32>, %y : memref<3xi32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    %a = loop.load %x[%i - 1] if (%i - 1 >= 0) else 5 : i32
    loop.store %a, %y[%i] if (2 - %i >= 0)
  }
  func.return
}
// VALUE: remainders([5.5, -5.5, inf, 1], [2, 2, 1, inf]) = [1.5, -1.5, nan, 1]
func.func @remainders(%x : memref<4xf32>, %z : memref<4xf32>, %y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    %a = loop.load %x[%i] : f32
    %b = loop.load %z[%i] : f32
    %r = loop.remf %a, %b : f32
    loop.store %r, %y[%i]
  }
  func.return
}
// Index expressions as values: floor division and remainder of what is negative.
// VALUE: indices([0]) = [-2, 1, -4, 3]
func.func @indices(%x : memref<1xi64>, %y : memref<4xi64>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 1 {
    %a = loop.index (%i - 3) floordiv 2
    %b = loop.index (%i - 3) mod 2
    %c = loop.index min(%i - 4, %i)
    %d = loop.index max(%i + 3, %i)
    %0 = arith.index_cast %a : index to i64
    %1 = arith.index_cast %b : index to i64
    %2 = arith.index_cast %c : index to i64
    %3 = arith.index_cast %d : index to i64
    loop.store %0, %y[0]
    loop.store %1, %y[1]
    loop.store %2, %y[2]
    loop.store %3, %y[3]
  }
  func.return
}
