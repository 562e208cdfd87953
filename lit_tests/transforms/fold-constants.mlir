// RUN: stepwell-opt %s -p fold-constants,dce | filecheck %s
// RUN: stepwell-opt %s -p 'fold-constants{limit=64},dce' | filecheck %s --check-prefix SMALL

// CHECK-LABEL: func.func @factor(
// CHECK-NEXT:    %[[F:.*]] = graph.constant #graph.array<[0.5, 4.0] : tensor<2xf32>>
// CHECK-NEXT:    graph.multiply %x, %[[F]]
func.func @factor(%x : tensor<2xf32>) -> tensor<2xf32> {
  %v = graph.constant #graph.array<[16.0, 0.25] : tensor<2xf32>>
  %r = graph.sqrt %v : tensor<2xf32>
  %two = graph.constant #graph.array<2.0 : tensor<f32>>
  %f = graph.divide %two, %r : tensor<f32>, tensor<2xf32> -> tensor<2xf32>
  %y = graph.multiply %x, %f : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// what has an operand that is not constant stays

// CHECK-LABEL: func.func @one_argument(
// CHECK:         graph.add
func.func @one_argument(%x : tensor<2xf32>) -> tensor<2xf32> {
  %v = graph.constant #graph.array<[1.0, 2.0] : tensor<2xf32>>
  %y = graph.add %v, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// the bits of a float sum depend on its order; those of an integer sum do not

// CHECK-LABEL: func.func @sums(
// CHECK:         graph.sum
// CHECK:         %[[I:.*]] = graph.constant #graph.array<6 : tensor<i32>>
// CHECK:         func.return %{{.*}}, %[[I]]
func.func @sums() -> (tensor<f32>, tensor<i32>) {
  %f = graph.constant #graph.array<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %i = graph.constant #graph.array<[1, 2, 3] : tensor<3xi32>>
  %s = graph.sum %f [0] : tensor<3xf32> -> tensor<f32>
  %t = graph.sum %i [0] : tensor<3xi32> -> tensor<i32>
  func.return %s, %t : tensor<f32>, tensor<i32>
}

// a number is not written out a hundred times, unless that is small enough

// SMALL-LABEL: func.func @broadcast(
// SMALL:         graph.broadcast_to
// CHECK-LABEL: func.func @broadcast(
// CHECK-NEXT:    graph.constant #graph.array<"sha256:{{.*}}" : tensor<100xf32>>
func.func @broadcast() -> tensor<100xf32> {
  %v = graph.constant #graph.array<1.0 : tensor<f32>>
  %y = graph.broadcast_to %v to <100> : tensor<f32> -> tensor<100xf32>
  func.return %y : tensor<100xf32>
}

// a size that only a run knows

// CHECK-LABEL: func.func @dynamic(
// CHECK:         graph.broadcast_to
func.func @dynamic(%x : tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>> {
  %v = graph.constant #graph.array<1.0 : tensor<f32>>
  %y = graph.broadcast_to %v to <n> : tensor<f32> -> tensor<?xf32, #graph.dims<n>>
  func.return %y : tensor<?xf32, #graph.dims<n>>
}

// (B035, B037, B038, B042, B044, B045) the numbers of the interpreter

// CHECK-LABEL: func.func @numbers(
// CHECK-DAG:     #graph.array<[nan, nan] : tensor<2xf32>>
// CHECK-DAG:     #graph.array<0.0 : tensor<f32>>
// CHECK-DAG:     #graph.array<[-0.0, -0.0] : tensor<2xf64>>
// CHECK-DAG:     #graph.array<9007199254740993 : tensor<i64>>
// CHECK-DAG:     #graph.array<0 : tensor<i64>>
// CHECK-DAG:     #graph.array<[-inf, nan{{.*}}] : tensor<2xf32>>
// CHECK:         func.return
func.func @numbers() -> (tensor<2xf32>, tensor<f32>, tensor<2xf64>, tensor<i64>, tensor<i64>, tensor<2xf32>) {
  %a = graph.constant #graph.array<[nan, 1.0] : tensor<2xf32>>
  %b = graph.constant #graph.array<[1.0, nan] : tensor<2xf32>>
  %max = graph.maximum %a, %b : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %n0 = graph.constant #graph.array<-0.0 : tensor<f32>>
  %p0 = graph.constant #graph.array<0.0 : tensor<f32>>
  %sum = graph.add %n0, %p0 : tensor<f32>, tensor<f32> -> tensor<f32>
  %c = graph.constant #graph.array<[-0.25, -0.0] : tensor<2xf64>>
  %ceil = graph.ceil %c : tensor<2xf64>
  %big = graph.constant #graph.array<9007199254740993 : tensor<i64>>
  %one = graph.constant #graph.array<1 : tensor<i64>>
  %same = graph.divide %big, %one : tensor<i64>, tensor<i64> -> tensor<i64>
  %none = graph.constant #graph.array<0 : tensor<i64>>
  %zero = graph.divide %big, %none : tensor<i64>, tensor<i64> -> tensor<i64>
  %m = graph.constant #graph.array<[-1.0, 0.0] : tensor<2xf32>>
  %inf = graph.divide %m, %p0 : tensor<2xf32>, tensor<f32> -> tensor<2xf32>
  func.return %max, %sum, %ceil, %same, %zero, %inf : tensor<2xf32>, tensor<f32>, tensor<2xf64>, tensor<i64>, tensor<i64>, tensor<2xf32>
}

// (B033, B058) no rule takes an op for 0; an empty array is one like any other

// CHECK-LABEL: func.func @difference(
// CHECK:         graph.subtract %x, %x
func.func @difference(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.subtract %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @empty(
// CHECK-NEXT:    graph.constant #graph.array<[] : tensor<0xf32>>
func.func @empty() -> tensor<0xf32> {
  %v = graph.constant #graph.array<[] : tensor<0xf32>>
  %y = graph.relu %v : tensor<0xf32>
  func.return %y : tensor<0xf32>
}
