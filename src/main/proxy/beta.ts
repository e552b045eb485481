/** P(X > x) for X ~ Beta(a, b), by the continued fraction of the regularised incomplete beta function. */
export function betaTail(x: number, a: number, b: number): number {
  if (x <= 0) return 1
  if (x >= 1) return 0
  return 1 - regularised(x, a, b)
}

function regularised(x: number, a: number, b: number): number {
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x))
  // The fraction converges quickly on one side of the mean only; the other follows by symmetry.
  return x < (a + 1) / (a + b + 2)
    ? (front * continuedFraction(x, a, b)) / a
    : 1 - (front * continuedFraction(1 - x, b, a)) / b
}

/** Lentz's method. */
function continuedFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const safe = (value: number): number => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / safe(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m <= 300; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / safe(1 + even * d)
    c = safe(1 + even / c)
    result *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / safe(1 + odd * d)
    c = safe(1 + odd / c)
    const step = d * c
    result *= step
    if (Math.abs(step - 1) < 1e-12) break
  }
  return result
}

const LANCZOS = [
  76.18009172947146, -86.50532032941678, 24.01409824083091, -1.231739572450155, 0.001208650973866179,
  -0.000005395239384953,
]

/** ln Γ(x) for x > 0 (Lanczos, six terms; relative error under 2e-10). */
function logGamma(x: number): number {
  const t = x + 5.5
  let series = 1.000000000190015
  LANCZOS.forEach((coefficient, index) => {
    series += coefficient / (x + index + 1)
  })
  return Math.log((2.5066282746310007 * series) / x) - (t - (x + 0.5) * Math.log(t))
}
