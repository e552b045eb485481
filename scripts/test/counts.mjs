/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** A stage that is one check: the build, the types, the lint. @param {boolean} ok @returns {Counts} */
export const oneCheck = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 })

/**
 * @param {any} report vitest's JSON report, undefined when it wrote none
 * @param {boolean} ok whether vitest ended well
 * @returns {Counts}
 */
export function countVitest(report, ok) {
  // A file that cannot be loaded holds no tests to fail; it counts as one.
  const broken = (report?.testResults ?? []).filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  )
  return atLeastOneFailure(ok, {
    passed: report?.numPassedTests ?? 0,
    failed: (report?.numFailedTests ?? 0) + broken.length,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  })
}

/**
 * @param {any} report Playwright's JSON report, undefined when it wrote none
 * @param {boolean} ok whether Playwright ended well
 * @returns {Counts}
 */
export function countPlaywright(report, ok) {
  const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = report?.stats ?? {}
  return atLeastOneFailure(ok, { passed: expected + flaky, failed: unexpected, skipped })
}

/** A runner that failed without a failing test (a crash, no tests found) must not look well. */
function atLeastOneFailure(ok, counts) {
  return ok || counts.failed > 0 ? counts : { ...counts, failed: 1 }
}
