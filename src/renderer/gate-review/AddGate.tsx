import { useState } from 'react'
import { call } from '../client'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { attempt, useApp } from '../state/app'
import { useDesk, useQueue } from '../state/gates'

/** A plan given by hand: pasted, or read from a file the person chose. */
export function AddGate() {
  const close = useApp((s) => s.close)
  const project = useApp((s) => s.project)
  const [text, setText] = useState('')
  const [title, setTitle] = useState('')
  const [intent, setIntent] = useState('')
  const [busy, setBusy] = useState(false)

  const readFile = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setText(await file.text())
    if (title === '') setTitle(file.name.replace(/\.(md|markdown|txt)$/i, ''))
  }
  const add = async (): Promise<void> => {
    setBusy(true)
    const added = await attempt(() =>
      call('gates.add', {
        text,
        origin: 'app',
        ...(title.trim() ? { title: title.trim() } : {}),
        ...(project ? { project } : {}),
        ...(intent.trim() ? { upstream: [{ name: 'intent', text: intent }] } : {}),
      }),
    )
    setBusy(false)
    if (!added) return
    close()
    useApp.getState().go('gates')
    await useQueue.getState().refresh()
    await useDesk.getState().select(added.id)
  }

  return (
    <Dialog title="Add a plan to review" onClose={close} wide>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <label>
          <span>Title</span>
          <input
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            placeholder="taken from the plan when left empty"
          />
        </label>
        <label>
          <span>Plan, as Markdown</span>
          <textarea
            required
            rows={10}
            className="mono"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <label>
          <span>Intent it answers (optional)</span>
          <textarea rows={2} value={intent} onChange={(event) => setIntent(event.target.value)} />
        </label>
        <div className="dialog-actions">
          <label className="button plain file-button">
            Read a file…
            <input
              type="file"
              className="sr-only"
              accept=".md,.markdown,.txt,.diff,.patch"
              onChange={(event) => void readFile(event.target.files?.[0])}
            />
          </label>
          <span className="grow" />
          <Button look="quiet" onClick={close}>
            Cancel
          </Button>
          <Button look="go" type="submit" disabled={busy || text.trim() === ''}>
            Add the plan
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
