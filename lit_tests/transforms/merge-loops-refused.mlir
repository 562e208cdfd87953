// RUN: not stepwell-opt %s -p 'merge-loops{first="p/i" second="c/i"}' 2>&1 | filecheck %s --check-prefix=MEET

// The second loop reads a row that the first has not come to yet.
// MEET: error: step 'merge p/i c/i': an iteration of loop i needs a later one of loop i to have run: %T, touched by block p and block c
func.func @mirrored(%x : memref<4x8xf32>, %y : memref<4x8xf32>) attributes {outputs_count = 1 : i64} {
  %T = loop.alloc "global" : memref<4x8xf32>
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 8 {
      loop.block "p" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %x[%vi, %vj]) writes(%T[%vi, %vj]) {
        %s = arith.addf %a, %a : f32
        loop.yield %s
      }
    }
  }
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 8 {
      loop.block "c" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %T[-%vi + 3, %vj]) writes(%y[%vi, %vj]) {
        %s = arith.mulf %a, %a : f32
        loop.yield %s
      }
    }
  }
  func.return
}
