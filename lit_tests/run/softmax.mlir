// RUN: stepwell run %s --values

// NumPy in double precision.
// VALUE~: last([[[1, -1, -1, 0.5], [-0.5, 1.5, 0.5, 1], [1, 0.5, 0, -1.5]], [[-1.5, 0.5, -1.5, 1], [-1.5, 0.5, 1, 0], [1.5, 0.5, -1, 0.5]]]) = [[[0.5327079, 0.07209418, 0.07209418, 0.3231037], [0.06414769, 0.47399086, 0.17437148, 0.28748998], [0.48626423, 0.29493415, 0.1788866, 0.039915]], [[0.046357356, 0.3425371, 0.046357356, 0.56474817], [0.039915, 0.29493415, 0.48626423, 0.1788866], [0.55010223, 0.2023713, 0.04515514, 0.2023713]]]
func.func @last(%x : tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %y = graph.softmax %x axis 2 : tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}
// VALUE~: middle([[[1, -1, -1, 0.5], [-0.5, 1.5, 0.5, 1], [1, 0.5, 0, -1.5]], [[-1.5, 0.5, -1.5, 1], [-1.5, 0.5, 1, 0], [1.5, 0.5, -1, 0.5]]]) = [[[0.44981623, 0.05661173, 0.121951655, 0.3591881], [0.10036756, 0.6896721, 0.5465494, 0.59220105], [0.44981623, 0.25371617, 0.33149895, 0.048610825]], [[0.0452785, 0.33333334, 0.067425355, 0.5064804], [0.0452785, 0.33333334, 0.82140905, 0.18632372], [0.909443, 0.33333334, 0.11116562, 0.30719587]]]
func.func @middle(%x : tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %y = graph.softmax %x axis 1 : tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}
// By hand: large numbers do not overflow, since the largest is subtracted; exp(-1000) is 0;
// where the largest is infinite, the sum is NaN.
// VALUE: large([[1000, 1000], [-1000, -1000], [0, -1000], [3e38, -3e38]]) = [[0.5, 0.5], [0.5, 0.5], [1, 0], [1, 0]]
func.func @large(%x : tensor<4x2xf32>) -> tensor<4x2xf32> {
  %y = graph.softmax %x axis 1 : tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}
// VALUE: infinite([[-inf, 0], [inf, 0], [nan, 0], [-inf, -inf]]) = [[0, 1], [nan, nan], [nan, nan], [nan, nan]]
func.func @infinite(%x : tensor<4x2xf32>) -> tensor<4x2xf32> {
  %y = graph.softmax %x axis 1 : tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}
// VALUE: one([[5], [nan], [-3e38]]) = [[1], [nan], [1]]
func.func @one(%x : tensor<3x1xf32>) -> tensor<3x1xf32> {
  %y = graph.softmax %x axis 1 : tensor<3x1xf32>
  func.return %y : tensor<3x1xf32>
}
// VALUE: f16([[60000, 60000], [-60000, 60000]]) = [[0.5, 0.5], [0, 1]]
func.func @f16(%x : tensor<2x2xf16>) -> tensor<2x2xf16> {
  %y = graph.softmax %x axis 1 : tensor<2x2xf16>
  func.return %y : tensor<2x2xf16>
}
// VALUE~: f64([0.5, -1.25, 3]) = [0.07487121456204028, 0.01301066620537013, 0.9121181192325896]
func.func @f64(%x : tensor<3xf64>) -> tensor<3xf64> {
  %y = graph.softmax %x axis 0 : tensor<3xf64>
  func.return %y : tensor<3xf64>
}
