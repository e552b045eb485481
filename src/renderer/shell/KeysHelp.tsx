import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { useApp } from '../state/app'

const keys: readonly [string, readonly (readonly [string, string])[]][] = [
  [
    'Everywhere',
    [
      ['1 2 3 4 5', 'Gate review, timeline, receipts, settings, query'],
      ['Ctrl K', 'Search and commands'],
      ['/', 'The same'],
      ['?', 'These keys'],
      ['Esc', 'Close what is open'],
    ],
  ],
  [
    'In lists',
    [
      ['j ↓', 'Next'],
      ['k ↑', 'Previous'],
      ['Enter', 'Open'],
    ],
  ],
  [
    'Gate review',
    [
      ['A', 'Approve'],
      ['C', 'Send correction (writes a note first when there is none)'],
      ['R', 'Reject'],
      ['N', 'Write a note'],
      ['Ctrl Enter', 'Do what the highlighted button says'],
    ],
  ],
  [
    'Query',
    [
      ['Q', 'Write a query'],
      ['Enter', 'Run it, from the box; Shift Enter starts a new line'],
    ],
  ],
  [
    'Receipts',
    [
      ['G', 'Write a goal'],
      ['Enter', 'Render, from the goal box'],
    ],
  ],
]

export function KeysHelp() {
  const close = useApp((s) => s.close)
  return (
    <Dialog title="Keys" onClose={close} wide>
      <div className="keys-grid">
        {keys.map(([where, lines]) => (
          <section key={where}>
            <h3>{where}</h3>
            <dl>
              {lines.map(([key, what]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="dialog-actions">
        <Button onClick={close}>Close</Button>
      </div>
    </Dialog>
  )
}
