import type { SourceCandidate } from '@shared/journal'
import { FolderPlus, Sparkles } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call } from '../client'
import { bytes, plural, since } from '../lib/format'
import { useNow } from '../lib/use-now'
import { agentName } from '../lib/words'
import { Button } from '../parts/Button'
import { Path } from '../parts/Path'
import { Loaded } from '../parts/States'
import { Tag } from '../parts/Tags'
import { attempt, useApp } from '../state/app'
import { refreshMemory, useCandidates, useSources } from '../state/memory'
import { ReadingCard } from './ReadingCard'

/** Proposes what can be remembered. Nothing in a folder is read before the person has enrolled it. */
export function FirstRun({ inDialog = false }: { inDialog?: boolean }) {
  const { enter, close } = useApp.getState()
  const candidates = useCandidates()
  const sources = useSources((s) => s.value) ?? []
  useEffect(() => void useCandidates.getState().load({}), [])
  return (
    <div className={inDialog ? 'first-run in-dialog' : 'first-run scroll'}>
      {inDialog ? null : (
        <header>
          <h1>What should Fovea remember?</h1>
          <p className="lede">
            Fovea reads the transcripts your agents leave on this machine and keeps them here. Nothing in a
            folder is read until you choose it, and nothing leaves this machine.
          </p>
        </header>
      )}
      <ReadingCard />
      <section aria-label="Folders found on this machine" className="candidates">
        <Loaded remote={candidates} label="Looking for transcript folders, by name only">
          {(list) =>
            list.length === 0 ? (
              <p className="sub">
                No transcript folder was found in the usual places. Choose one, or look around with the
                sample.
              </p>
            ) : (
              list.map((candidate) => <CandidateRow key={candidate.path} candidate={candidate} />)
            )
          }
        </Loaded>
      </section>
      <div className="row wrap">
        <Button onClick={() => void chooseFolder()}>
          <FolderPlus aria-hidden="true" /> Choose another folder…
        </Button>
        <Button look="quiet" onClick={() => void enrolSample()}>
          <Sparkles aria-hidden="true" /> Use the bundled sample
        </Button>
        <span className="grow" />
        {inDialog ? (
          <Button onClick={close}>Done</Button>
        ) : (
          <Button look={sources.length > 0 ? 'go' : 'quiet'} onClick={() => enter('ready')}>
            {sources.length > 0 ? 'Open the memory' : 'Go on without a source'}
          </Button>
        )}
      </div>
    </div>
  )
}

function CandidateRow({ candidate }: { candidate: SourceCandidate }) {
  const now = useNow()
  const [busy, setBusy] = useState(false)
  const enrol = async (): Promise<void> => {
    setBusy(true)
    await enrolPath(candidate.path)
    setBusy(false)
  }
  return (
    <article className="candidate">
      <div className="grow">
        <h2>{agentName[candidate.agent]}</h2>
        <p className="mono clip">
          <Path path={candidate.path} />
        </p>
        <p className="sub">
          {plural(candidate.files, 'file')} · {bytes(candidate.bytes)}
          {candidate.newestAt === null ? '' : ` · newest ${since(candidate.newestAt, now)}`}
        </p>
      </div>
      {candidate.enrolled ? (
        <Tag tone="green">enrolled</Tag>
      ) : (
        <Button look="go" disabled={busy} aria-label={`Enrol ${candidate.path}`} onClick={() => void enrol()}>
          {busy ? 'Enrolling…' : 'Enrol'}
        </Button>
      )}
    </article>
  )
}

async function enrolPath(path: string): Promise<void> {
  await attempt(() => call('sources.enrol', { path }))
  await afterEnrolment()
}

async function enrolSample(): Promise<void> {
  await attempt(() => call('sources.enrolSample', {}))
  await afterEnrolment()
}

export async function chooseFolder(): Promise<void> {
  const picked = await attempt(() => call('app.pickFolder', {}))
  if (picked?.path) await enrolPath(picked.path)
}

async function afterEnrolment(): Promise<void> {
  await Promise.all([useCandidates.getState().load({}), refreshMemory()])
}
