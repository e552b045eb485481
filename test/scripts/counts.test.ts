import { describe, expect, it } from 'vitest'
import { countPlaywright, countVitest } from '../../scripts/test/counts.mjs'

describe('counting tests', () => {
  it('of vitest', () => {
    const report = {
      numPassedTests: 7,
      numFailedTests: 0,
      numPendingTests: 1,
      numTodoTests: 1,
      testResults: [],
    }
    expect(countVitest(report, true)).toEqual({ passed: 7, failed: 0, skipped: 2 })
  })

  it('counts a file that could not be loaded as one failure', () => {
    const testResults = [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] },
    ]
    const report = { numPassedTests: 1, numFailedTests: 1, testResults }
    expect(countVitest(report, false)).toEqual({ passed: 1, failed: 2, skipped: 0 })
  })

  it('of Playwright', () => {
    const report = { stats: { expected: 5, flaky: 1, unexpected: 2, skipped: 3 } }
    expect(countPlaywright(report, false)).toEqual({ passed: 6, failed: 2, skipped: 3 })
  })

  it('a runner that crashed or found nothing never looks well', () => {
    expect(countVitest(undefined, false).failed).toBe(1)
    expect(countPlaywright(undefined, false).failed).toBe(1)
    expect(countPlaywright({ stats: { expected: 0 } }, false).failed).toBe(1)
  })
})
