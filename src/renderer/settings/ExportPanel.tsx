import type { CallOutput } from '@shared/contract'
import type { Rung } from '@shared/domain'
import { useState } from 'react'
import { call } from '../client'
import { plural } from '../lib/format'
import { rungName, rungs } from '../lib/words'
import { Button } from '../parts/Button'
import { Path } from '../parts/Path'
import { Segmented } from '../parts/Segmented'
import { attempt } from '../state/app'
import { useProjects } from '../state/memory'

export function ExportPanel() {
  const projects = useProjects((s) => s.value) ?? []
  const [ceiling, setCeiling] = useState<Rung>('L2')
  const [project, setProject] = useState('')
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState<CallOutput<'export.run'> | null>(null)

  const run = async (): Promise<void> => {
    const name = `fovea-${project || 'all'}-${ceiling}.json`.replace(/[^\w.-]+/g, '-')
    const picked = await attempt(() => call('app.pickSave', { name }))
    const out = picked?.path
    if (!out) return
    setBusy(true)
    setDone(null)
    const result = await attempt(() => call('export.run', { out, ceiling, ...(project ? { project } : {}) }))
    setBusy(false)
    if (result) setDone(result)
  }

  return (
    <section className="panel-block" aria-labelledby="settings-export">
      <h2 id="settings-export">Export</h2>
      <div className="row setting wrap">
        <div className="grow">
          <h3>Ceiling</h3>
          <p className="sub">
            Nothing finer than {rungName[ceiling]} leaves. A bundle is a copy: it cannot be called back.
          </p>
        </div>
        <Segmented
          label="Ceiling"
          value={ceiling}
          onChange={setCeiling}
          options={rungs.map((rung) => ({ value: rung, label: rung, title: rungName[rung] }))}
        />
      </div>
      <div className="row setting wrap">
        <label className="row grow">
          <span>Project</span>
          <select value={project} onChange={(event) => setProject(event.target.value)}>
            <option value="">all projects</option>
            {projects.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Button look="go" disabled={busy} onClick={() => void run()}>
          {busy ? 'Exporting…' : 'Export…'}
        </Button>
      </div>
      {done ? (
        <p role="status" className="done">
          {plural(done.items, 'item')} written at {done.ceiling} to{' '}
          <span className="mono wrap-any">
            <Path path={done.file} />
          </span>
          . {plural(done.masked, 'secret')} masked, {plural(done.restricted, 'item')} held back.
        </p>
      ) : null}
    </section>
  )
}
