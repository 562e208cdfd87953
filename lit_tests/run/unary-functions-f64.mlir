// RUN: stepwell run %s --values

// NumPy (erf: Python's math), in double precision.
// VALUE~: exp([-2.5, -1, -0.1, 0.3, 1, 2.75]) = [0.0820849986238988, 0.36787944117144233, 0.9048374180359595, 1.3498588075760032, 2.718281828459045, 15.642631884188171]
func.func @exp(%x : tensor<6xf64>) -> tensor<6xf64> {
  %y = graph.exp %x : tensor<6xf64>
  func.return %y : tensor<6xf64>
}
// VALUE~: log([0.2, 1, 2.5, 10]) = [-1.6094379124341003, 0, 0.9162907318741551, 2.302585092994046]
func.func @log(%x : tensor<4xf64>) -> tensor<4xf64> {
  %y = graph.log %x : tensor<4xf64>
  func.return %y : tensor<4xf64>
}
// VALUE~: sin([-2.5, -1, -0.1, 0.3, 1, 2.75]) = [-0.5984721441039565, -0.8414709848078965, -0.09983341664682815, 0.29552020666133955, 0.8414709848078965, 0.38166099205233167]
func.func @sin(%x : tensor<6xf64>) -> tensor<6xf64> {
  %y = graph.sin %x : tensor<6xf64>
  func.return %y : tensor<6xf64>
}
// VALUE~: cos([-2.5, -1, -0.1, 0.3, 1, 2.75]) = [-0.8011436155469337, 0.5403023058681398, 0.9950041652780258, 0.955336489125606, 0.5403023058681398, -0.9243023786324636]
func.func @cos(%x : tensor<6xf64>) -> tensor<6xf64> {
  %y = graph.cos %x : tensor<6xf64>
  func.return %y : tensor<6xf64>
}
// VALUE~: tan([-0.9, -0.1, 0.3, 0.75]) = [-1.2601582175503392, -0.10033467208545055, 0.30933624960962325, 0.9315964599440725]
func.func @tan(%x : tensor<4xf64>) -> tensor<4xf64> {
  %y = graph.tan %x : tensor<4xf64>
  func.return %y : tensor<4xf64>
}
// VALUE~: asin([-0.9, -0.1, 0.3, 0.75]) = [-1.1197695149986342, -0.1001674211615598, 0.3046926540153975, 0.848062078981481]
func.func @asin(%x : tensor<4xf64>) -> tensor<4xf64> {
  %y = graph.asin %x : tensor<4xf64>
  func.return %y : tensor<4xf64>
}
// VALUE~: acos([-0.9, -0.1, 0.3, 0.75]) = [2.6905658417935308, 1.6709637479564565, 1.2661036727794992, 0.7227342478134157]
func.func @acos(%x : tensor<4xf64>) -> tensor<4xf64> {
  %y = graph.acos %x : tensor<4xf64>
  func.return %y : tensor<4xf64>
}
// VALUE~: atan([-2.5, -1, -0.1, 0.3, 1, 2.75]) = [-1.1902899496825317, -0.7853981633974483, -0.09966865249116204, 0.2914567944778671, 0.7853981633974483, 1.2220253232109897]
func.func @atan(%x : tensor<6xf64>) -> tensor<6xf64> {
  %y = graph.atan %x : tensor<6xf64>
  func.return %y : tensor<6xf64>
}
// VALUE~: sinh([-2.5, -1, -0.1, 0.3, 1, 2.75]) = [-6.0502044810397875, -1.1752011936438014, -0.10016675001984403, 0.3045202934471426, 1.1752011936438014, 7.789352011490732]
func.func @sinh(%x : tensor<6xf64>) -> tensor<6xf64> {
  %y = graph.sinh %x : tensor<6xf64>
  func.return %y : tensor<6xf64>
}
// VALUE~: cosh([-2.5, -1, -0.1, 0.3, 1, 2.75]) = [6.132289479663686, 1.5430806348152437, 1.0050041680558035, 1.0453385141288605, 1.5430806348152437, 7.853279872697439]
func.func @cosh(%x : tensor<6xf64>) -> tensor<6xf64> {
  %y = graph.cosh %x : tensor<6xf64>
  func.return %y : tensor<6xf64>
}
// VALUE~: tanh([-2.5, -1, -0.1, 0.3, 1, 2.75]) = [-0.9866142981514303, -0.7615941559557649, -0.09966799462495582, 0.2913126124515909, 0.7615941559557649, 0.9918597245682078]
func.func @tanh(%x : tensor<6xf64>) -> tensor<6xf64> {
  %y = graph.tanh %x : tensor<6xf64>
  func.return %y : tensor<6xf64>
}
// VALUE~: asinh([-2.5, -1, -0.1, 0.3, 1, 2.75]) = [-1.6472311463710958, -0.881373587019543, -0.09983407889920758, 0.29567304756342244, 0.881373587019543, 1.7362775864618003]
func.func @asinh(%x : tensor<6xf64>) -> tensor<6xf64> {
  %y = graph.asinh %x : tensor<6xf64>
  func.return %y : tensor<6xf64>
}
// VALUE~: acosh([1.5, 3, 10.5]) = [0.9624236501192069, 1.762747174039086, 3.0422471120933285]
func.func @acosh(%x : tensor<3xf64>) -> tensor<3xf64> {
  %y = graph.acosh %x : tensor<3xf64>
  func.return %y : tensor<3xf64>
}
// VALUE~: atanh([-0.9, -0.1, 0.3, 0.75]) = [-1.4722194895832204, -0.10033534773107558, 0.30951960420311175, 0.9729550745276566]
func.func @atanh(%x : tensor<4xf64>) -> tensor<4xf64> {
  %y = graph.atanh %x : tensor<4xf64>
  func.return %y : tensor<4xf64>
}
// VALUE~: sigmoid([-2.5, -1, -0.1, 0.3, 1, 2.75]) = [0.07585818002124355, 0.2689414213699951, 0.47502081252106, 0.574442516811659, 0.7310585786300049, 0.9399133498259924]
func.func @sigmoid(%x : tensor<6xf64>) -> tensor<6xf64> {
  %y = graph.sigmoid %x : tensor<6xf64>
  func.return %y : tensor<6xf64>
}
// VALUE~: erf([-2.5, -1, -0.1, 0.3, 1, 2.75]) = [-0.999593047982555, -0.8427007929497149, -0.1124629160182849, 0.3286267594591274, 0.8427007929497149, 0.9998993780778803]
func.func @erf(%x : tensor<6xf64>) -> tensor<6xf64> {
  %y = graph.erf %x : tensor<6xf64>
  func.return %y : tensor<6xf64>
}
