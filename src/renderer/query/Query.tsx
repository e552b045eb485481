import { predicates } from '@shared/logic'
import { useRef } from 'react'
import { plural } from '../lib/format'
import { useKeys } from '../lib/keys'
import { Button } from '../parts/Button'
import { Empty, Failed, Loading } from '../parts/States'
import { useQuery } from '../state/query'
import { Answers } from './Answers'
import { examples } from './examples'

/** The journal as a logic program: a goal in Prolog, its answers as a table. */
export function Query() {
  return (
    <div className="query">
      <section className="query-main" aria-label="Query">
        <QueryBox />
        <Outcome />
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard. */}
      <aside className="scroll query-help" aria-label="Help" tabIndex={0}>
        <Help />
      </aside>
    </div>
  )
}

function QueryBox() {
  const goal = useQuery((s) => s.goal)
  const running = useQuery((s) => s.running)
  const { edit, run, stop } = useQuery.getState()
  const field = useRef<HTMLTextAreaElement>(null)
  useKeys({ q: () => field.current?.focus() })
  return (
    <form
      className="query-box"
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <textarea
        ref={field}
        className="mono"
        aria-label="Goal in Prolog"
        spellCheck={false}
        placeholder="fact(_, edits, File, Item), item(Item, _, _, Project, _)"
        value={goal}
        onChange={(event) => edit(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
          if (event.key !== 'Enter' || event.shiftKey) return
          event.preventDefault()
          void run()
        }}
      />
      {running ? (
        <Button onClick={() => void stop()}>Stop</Button>
      ) : (
        <Button look="go" type="submit" disabled={goal.trim() === ''}>
          Run
        </Button>
      )}
    </form>
  )
}

function Outcome() {
  const { result, error, running, stopped } = useQuery()
  const { all } = useQuery.getState()
  if (error) return <Failed error={error} />
  if (running && !result) return <Loading label="Running the query" />
  if (!result && stopped) {
    return (
      <Empty title="Stopped">
        <p role="status">It had no answer yet. Bind more of the arguments, and it has less to go through.</p>
      </Empty>
    )
  }
  if (!result) {
    return (
      <Empty title="Ask the journal">
        <p>
          A query names what you know and asks for the rest. Choose an example on the right to start from.
        </p>
      </Empty>
    )
  }
  const { answers, more, ms } = result
  const told = answers.length === 0 ? 'No answer' : plural(answers.length, 'answer')
  return (
    <>
      <div className="row query-told">
        <p className="sub grow" role="status">
          {told}
          {more ? ', and there are more' : ''} · {ms} ms
        </p>
        {more && answers.length < 1000 ? (
          <Button look="quiet" onClick={() => void all()} disabled={running}>
            Show up to 1,000
          </Button>
        ) : null}
      </div>
      <Answers result={result} />
    </>
  )
}

function Help() {
  const { edit, run } = useQuery.getState()
  return (
    <>
      <section>
        <h2>Examples</h2>
        <ul className="query-examples">
          {examples.map(({ name, goal }) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => {
                  edit(goal)
                  void run()
                }}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>What can be asked</h2>
        <dl className="query-predicates">
          {predicates.map(({ head, says }) => (
            <div key={head}>
              <dt className="mono">{head}</dt>
              <dd>{says}</dd>
            </div>
          ))}
        </dl>
        <p className="sub">
          A capital letter starts a variable, <code>_</code> stands for anything. A query only reads; one that
          takes too long is stopped.
        </p>
      </section>
    </>
  )
}
