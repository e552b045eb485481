import type { GateDetail } from '@shared/review'
import { useMemo, useState } from 'react'
import { plural } from '../lib/format'
import { stateName, taskName } from '../lib/words'
import { Markdown } from '../parts/Markdown'
import { Seen } from '../parts/Seen'
import { Segmented } from '../parts/Segmented'
import { Empty } from '../parts/States'
import { useDesk } from '../state/gates'
import { DecisionBar } from './DecisionBar'
import { DiffView } from './DiffView'
import { evidenceOf } from './evidence'
import { SourceView } from './SourceView'
import { TaskTypeField } from './TaskTypeField'
import { versionsOf } from './versions'

type View = 'read' | 'source' | 'diff'

/** Above this many characters a plan opens as source: rendering it would hold the window still. */
const readLimit = 200_000

export function ArtifactPane({ gate }: { gate: GateDetail }) {
  const { current, before } = versionsOf(gate)
  const text = current?.text ?? ''
  const long = text.length > readLimit
  const [view, setView] = useState<View>(long ? 'source' : 'read')
  const evidence = useMemo(() => evidenceOf(gate.prediction?.revealed ?? null), [gate.prediction])
  const lines = useMemo(() => (text === '' ? 0 : text.split('\n').length), [text])
  const diffLabel = before && current ? `diff v${before.version}→v${current.version}` : 'diff'

  return (
    <>
      <div className="gate-head">
        <div className="row top">
          <h2 className="title grow two-lines" title={gate.title}>
            <Seen text={gate.title} />
          </h2>
          <Segmented
            label="How to show the artifact"
            value={view}
            onChange={setView}
            options={[
              { value: 'read', label: 'read' },
              { value: 'source', label: 'source' },
              ...(before ? [{ value: 'diff' as const, label: diffLabel }] : []),
            ]}
          />
        </div>
        <div className="row sub wrap meta">
          <span>{stateName[gate.state]}</span>
          <TaskTypeField gate={gate} onChange={(type) => void useDesk.getState().setTaskType(type)} />
          <span>{gate.project ?? 'no project'}</span>
          <span>{plural(lines, 'line')}</span>
          {gate.round > 1 ? <span>round {gate.round}</span> : null}
        </div>
        {gate.question ? (
          <p className="question">
            <Seen text={gate.question} />
          </p>
        ) : null}
      </div>
      {current === undefined || current.empty ? (
        <Empty title="The plan is empty">
          <p>
            The agent asked for approval without writing a plan. You can still answer: a note tells it what to
            do.
          </p>
        </Empty>
      ) : view === 'read' ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard.
        <article className="scroll artifact" aria-label={`${taskName[gate.taskType]} plan`} tabIndex={0}>
          <Markdown text={long ? text.slice(0, readLimit) : text} top={3} evidence={evidence} />
          {long ? <p className="sub">The rest of this long plan is under “source”.</p> : null}
        </article>
      ) : view === 'source' ? (
        <SourceView text={text} evidence={evidence} />
      ) : (
        <DiffView before={before?.text ?? ''} after={text} />
      )}
      <DecisionBar gate={gate} />
    </>
  )
}
