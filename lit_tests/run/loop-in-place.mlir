// RUN: stepwell run %s --values

// By hand: buffers that are read and written, by one block after another and by one block alone.
// VALUE: chain([1, -2, 3]) = [3, 0, 7]
func.func @chain(%x : memref<3xf32>, %y : memref<3xf32>) attributes {outputs_count = 1 : i64} {
  %t = loop.alloc "global" : memref<3xf32>
  loop.for "i" %i = 0 to 3 {
    loop.block "double" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%t[%vi]) {
      %s = arith.addf %a, %a : f32
      loop.yield %s
    }
  }
  loop.for "i" %i = 0 to 3 {
    loop.block "add_one" (%vi : spatial = %i) reads(%a = %t[%vi]) writes(%t[%vi]) {
      %1 = arith.constant 1.0 : f32
      %s = arith.addf %a, %1 : f32
      loop.yield %s
    }
  }
  loop.for "i" %i = 0 to 3 {
    loop.block "relu" (%vi : spatial = %i) reads(%a = %t[%vi]) writes(%y[%vi]) {
      %0 = arith.constant 0.0 : f32
      %s = arith.maximumf %a, %0 : f32
      loop.yield %s
    }
  }
  func.return
}
// A buffer for each iteration of a loop, and one in a register.
// VALUE: scopes([[1, 2], [3, 4]]) = [[3, 3], [7, 7]]
func.func @scopes(%x : memref<2x2xi32>, %y : memref<2x2xi32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 2 {
    %r = loop.alloc "register" : memref<1xi32>
    %l = loop.alloc "local" : memref<2xi32>
    loop.for "k" %k = 0 to 2 {
      loop.block "sum" (%vi : spatial = %i, %vk : reduce = %k) reads(%a = %x[%vi, %vk]) writes(%s = %r[0]) init {
        %0 = arith.constant 0 : i32
        loop.yield %0
      } {
        %t = arith.addi %s, %a : i32
        loop.yield %t
      }
    }
    loop.for "j" %j = 0 to 2 {
      loop.block "spread" (%vj : spatial = %j) reads(%a = %r[0]) writes(%l[%vj]) {
        loop.yield %a
      }
    }
    loop.for "j" %j = 0 to 2 {
      loop.block "copy" (%vi : param = %i, %vj : spatial = %j) reads(%a = %l[%vj]) writes(%y[%vi, %vj]) {
        loop.yield %a
      }
    }
  }
  func.return
}
// Functions that write where their caller says; the same one twice, and in place.
// VALUE: calls([1, 2, 3]) = [4, 8, 12]
func.func @calls(%x : memref<3xi64>, %y : memref<3xi64>) attributes {outputs_count = 1 : i64} {
  %t = loop.alloc "global" : memref<3xi64>
  func.call @double(%x, %t) : (memref<3xi64>, memref<3xi64>) -> ()
  func.call @double(%t, %y) : (memref<3xi64>, memref<3xi64>) -> ()
  func.return
}
func.func private @double(%x : memref<3xi64>, %y : memref<3xi64>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 3 {
    loop.block "double" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%y[%vi]) {
      %s = arith.addi %a, %a : i64
      loop.yield %s
    }
  }
  func.return
}
