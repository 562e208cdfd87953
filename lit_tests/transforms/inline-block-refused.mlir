// RUN: not stepwell-opt %s -p 'inline-block{producer=p consumer=c}' 2>&1 | filecheck %s --check-prefix=PADDED

// PADDED: error: step 'inline p c': block c pads its read of block p: materialize the padding first
func.func @padded(%x : memref<4x8xf32>, %y : memref<4x8xf32>) attributes {outputs_count = 1 : i64} {
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
      loop.block "c" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %T[%vi, %vj - 1] else 0.0 : f32) writes(%y[%vi, %vj]) {
        %s = arith.mulf %a, %a : f32
        loop.yield %s
      }
    }
  }
  func.return
}
