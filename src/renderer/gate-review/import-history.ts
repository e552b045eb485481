import { call } from '../client'
import { plural } from '../lib/format'
import { attempt, useApp } from '../state/app'
import { useQueue } from '../state/gates'
import { refreshMemory } from '../state/memory'

/** Finds the plan gates in what was ingested, with the decisions the transcripts show. */
export async function importHistory(): Promise<void> {
  const report = await attempt(() => call('gates.import', {}))
  if (!report) return
  const { say } = useApp.getState()
  if (report.found === 0)
    say('No plan gate was found in the transcripts. Enrol a source that holds some, or add a plan.')
  else {
    say(
      `${plural(report.found, 'gate')} found, ${report.imported} new: ${report.approve} approved, ` +
        `${report.correct} corrected, ${report.reject} rejected, ${report.pending} without an answer.`,
    )
  }
  await Promise.all([useQueue.getState().refresh(), refreshMemory()])
}
