// RUN: stepwell-opt %s -p convert-graph-to-loop,fuse-loop-functions --split-input-file | filecheck %s

// A function that is not marked is left alone, and so is what it calls.
// CHECK-LABEL: func.func private @no_group(
// CHECK-NEXT:    graph.call_tir @add(
// CHECK:       func.func private @add(
func.func private @no_group(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.add %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// -----

// Blocks keep labels that differ; a loop function that somebody else calls stays; symbols become the callers' dims.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    graph.call_tir @twice(%x) dims [n]
// CHECK-NEXT:    graph.call_tir @add(
// CHECK-LABEL: func.func private @twice(
// CHECK-SAME:    %n: index, %x: memref<?xf32>, %output: memref<?xf32>) attributes {dims = ["n"], outputs_count = 1 : i64, noalias} {
// CHECK-NEXT:    loop.shape %x[%n]
// CHECK-NEXT:    loop.shape %output[%n]
// CHECK-NEXT:    %y = loop.alloc "global" [%n] : memref<?xf32>
// CHECK:         loop.block "add"
// CHECK:         loop.block "add1"
// CHECK:       func.func private @add(
func.func @main(%x : tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>> {
  %y = func.call @twice(%x) : (tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>>
  %z = graph.add %x, %y : tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>> -> tensor<?xf32, #graph.dims<n>>
  func.return %z : tensor<?xf32, #graph.dims<n>>
}
func.func private @twice(%x : tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>> attributes {primitive = 1 : i64} {
  %y = graph.add %x, %x : tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>> -> tensor<?xf32, #graph.dims<n>>
  %z = graph.add %y, %y : tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>> -> tensor<?xf32, #graph.dims<n>>
  func.return %z : tensor<?xf32, #graph.dims<n>>
}

// -----

// A constant of the group is a global; an argument that is returned, and a value returned twice, are copied.
// CHECK-LABEL: loop.global @c : memref<4xf32>
// CHECK:       func.func private @group(
// CHECK-SAME:    %x: memref<4xf32>, %output0: memref<4xf32>, %output1: memref<4xf32>, %output2: memref<4xf32>
// CHECK-NEXT:    %c = loop.get_global @c : memref<4xf32>
// CHECK:         loop.block "add"
// CHECK:           writes(%output0[
// CHECK:         loop.block "copy"
// CHECK:           reads(%{{.*}} = %output0[
// CHECK:           writes(%output1[
// CHECK:         loop.block "copy1"
// CHECK:           reads(%{{.*}} = %x[
// CHECK:           writes(%output2[
func.func private @group(%x : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {primitive = 1 : i64} {
  %c = graph.constant #graph.array<[1.0, 2.0, 3.0, 4.0] : tensor<4xf32>>
  %y = graph.add %x, %c : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return %y, %y, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
