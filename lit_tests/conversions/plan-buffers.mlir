// RUN: stepwell-opt %s -p plan-buffers | filecheck %s

// Of three buffers the first and the last are never alive together.
// CHECK-LABEL: @chain
// CHECK-SAME:    (%x: memref<100xf32>, %y: memref<100xf32>, %workspace: memref<?xi8>)
// CHECK-SAME:    workspace = #loop.map<(896)>
// CHECK:         %s = loop.view %workspace[0] : memref<100xf32>
// CHECK-NEXT:    %t = loop.view %workspace[448] : memref<100xf32>
// CHECK-NEXT:    %u = loop.view %workspace[0] : memref<100xf32>
// CHECK-NOT:     loop.alloc
func.func @chain(%x: memref<100xf32>, %y: memref<100xf32>) {
  %s = loop.alloc "global" : memref<100xf32>
  %t = loop.alloc "global" : memref<100xf32>
  %u = loop.alloc "global" : memref<100xf32>
  func.call @step(%x, %s) : (memref<100xf32>, memref<100xf32>) -> ()
  func.call @step(%s, %t) : (memref<100xf32>, memref<100xf32>) -> ()
  func.call @step(%t, %u) : (memref<100xf32>, memref<100xf32>) -> ()
  func.call @step(%u, %y) : (memref<100xf32>, memref<100xf32>) -> ()
  func.return
}

// A function that needs no bytes stays as it is, and so does a small local buffer.
// CHECK-LABEL: func.func private @step
// CHECK-SAME:    (%x: memref<100xf32>, %y: memref<100xf32>) {
// CHECK:         loop.alloc "local" : memref<16xf32>
func.func private @step(%x: memref<100xf32>, %y: memref<100xf32>) {
  %t = loop.alloc "local" : memref<16xf32>
  loop.for "i" %i = 0 to 100 {
    %v = loop.load %x[%i] : f32
    loop.store %v, %t[%i mod 16]
    %w = loop.load %t[%i mod 16] : f32
    loop.store %w, %y[%i]
  }
  func.return
}

// A loop keeps what comes from outside alive to its end; what it makes itself is new in each iteration.
// CHECK-LABEL: @loops
// CHECK-SAME:    workspace = #loop.map<(192)>
// CHECK:         %s = loop.view %workspace[0] : memref<16xf32>
// CHECK:         %a = loop.view %workspace[64] : memref<16xf32>
// CHECK:         %b = loop.view %workspace[128] : memref<16xf32>
// CHECK:         %c = loop.view %workspace[64] : memref<16xf32>
func.func @loops(%x: memref<100xf32>) {
  %s = loop.alloc "global" : memref<16xf32>
  loop.for "i" %i = 0 to 100 {
    %a = loop.alloc "global" : memref<16xf32>
    %b = loop.alloc "global" : memref<16xf32>
    %c = loop.alloc "global" : memref<16xf32>
    %v = loop.load %x[%i] : f32
    loop.store %v, %s[0]
    loop.store %v, %a[0]
    loop.store %v, %b[0]
    %va = loop.load %a[0] : f32
    %vb = loop.load %b[0] : f32
    loop.store %vb, %c[0]
    %vc = loop.load %c[0] : f32
    loop.store %vc, %x[%i]
  }
  func.return
}

// Symbolic sizes share where one is never larger than the other; fixed ones come first.
// CHECK-LABEL: @symbolic
// CHECK-SAME:    workspace = #loop.map<(d0 * 128 + ((d0 * 32 + 63) floordiv 64) * 64 + 64)>
// CHECK:         %f = loop.view %workspace[0] : memref<4xf32>
// CHECK-NEXT:    %a = loop.view %workspace[64] sizes [%n] : memref<?x16xf32>
// CHECK-NEXT:    %b = loop.view %workspace[%n * 128 + 64] sizes [%n] : memref<?x8xf32>
// CHECK-NEXT:    %c = loop.view %workspace[64] sizes [%n] : memref<?x32xf32>
func.func @symbolic(%n: index, %x: memref<4xf32>) attributes {dims = ["n"]} {
  %f = loop.alloc "global" : memref<4xf32>
  %a = loop.alloc "global" [%n] : memref<?x16xf32>
  %b = loop.alloc "global" [%n] : memref<?x8xf32>
  %c = loop.alloc "local" [%n] : memref<?x32xf32>
  %v = loop.load %x[0] : f32
  loop.store %v, %f[0]
  loop.store %v, %a[0, 0]
  loop.store %v, %b[0, 0]
  %w = loop.load %a[0, 0] : f32
  loop.store %w, %c[0, 0]
  %u = loop.load %b[0, 0] : f32
  %t = loop.load %f[0] : f32
  func.return
}

// Every iteration of a parallel loop has its own bytes.
// CHECK-LABEL: @parallel
// CHECK-SAME:    workspace = #loop.map<(d0 * 128)>
// CHECK:         loop.for "i" %i = 0 to %n parallel {
// CHECK-NEXT:      %a = loop.view %workspace[%i * 128] : memref<16xf32>
// CHECK-NEXT:      %b = loop.view %workspace[%i * 128 + 64] : memref<16xf32>
func.func @parallel(%n: index, %x: memref<4xf32>) attributes {dims = ["n"]} {
  loop.for "i" %i = 0 to %n parallel {
    %a = loop.alloc "global" : memref<16xf32>
    %b = loop.alloc "global" : memref<16xf32>
    %v = loop.load %x[0] : f32
    loop.store %v, %a[0]
    loop.store %v, %b[0]
    %w = loop.load %a[0] : f32
    loop.store %w, %x[1]
  }
  func.return
}

// A call hands the bytes of its callee in; they are free again after it.
// CHECK-LABEL: @calls
// CHECK-SAME:    workspace = #loop.map<(d0 * 256 + 512)>
// CHECK:         %[[B:.*]] = loop.view %workspace[512] sizes [%n * 256] : memref<?xi8>
// CHECK-NEXT:    func.call @scratch(%n, %t, %[[B]]) : (index, memref<4xf32>, memref<?xi8>) -> ()
// CHECK-NEXT:    %[[C:.*]] = loop.view %workspace[0] sizes [%two * 256] : memref<?xi8>
// CHECK-NEXT:    func.call @scratch(%two, %x, %[[C]]) : (index, memref<4xf32>, memref<?xi8>) -> ()
func.func @calls(%n: index, %x: memref<4xf32>) attributes {dims = ["n"]} {
  %two = arith.constant 2 : index
  %t = loop.alloc "global" : memref<4xf32>
  %v = loop.load %x[0] : f32
  loop.store %v, %t[0]
  func.call @scratch(%n, %t) : (index, memref<4xf32>) -> ()
  func.call @scratch(%two, %x) : (index, memref<4xf32>) -> ()
  func.return
}

// CHECK-LABEL: func.func private @scratch
// CHECK-SAME:    (%m: index, %x: memref<4xf32>, %workspace: memref<?xi8>)
// CHECK-SAME:    workspace = #loop.map<(d0 * 256)>
func.func private @scratch(%m: index, %x: memref<4xf32>) {
  %t = loop.alloc "global" [%m] : memref<?x64xf32>
  %v = loop.load %x[0] : f32
  loop.store %v, %t[0, 0]
  func.return
}

// A buffer that nothing uses needs no bytes.
// CHECK-LABEL: @unused
// CHECK-SAME:    () {
// CHECK-NEXT:    func.return
func.func @unused() {
  %t = loop.alloc "global" : memref<16xf32>
  func.return
}

// The most that a buffer in a loop may take, over the dims.
// CHECK-LABEL: @at_most
// CHECK-SAME:    workspace = #loop.map<(((d0 * 4 + 63) floordiv 64) * 64)>
// CHECK:           %t = loop.view %workspace[0] sizes [%i + 1] : memref<?xf32>
func.func @at_most(%n: index, %x: memref<4xf32>) {
  loop.for "i" %i = 0 to %n {
    %t = loop.alloc "global" [%i + 1] : memref<?xf32>
    %v = loop.load %x[0] : f32
    loop.store %v, %t[%i]
  }
  func.return
}
