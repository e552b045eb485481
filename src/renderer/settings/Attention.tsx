import type { FacultySettings } from '@shared/attention'
import { useApp } from '../state/app'

const SWITCHES: readonly { name: keyof FacultySettings; title: string; what: string }[] = [
  {
    name: 'adaptive',
    title: 'Adaptive assembly',
    what: 'Contexts are chosen and ordered by salience instead of in a fixed order. The parts below need it.',
  },
  {
    name: 'salience',
    title: 'Salience',
    what: 'Relevance to the goal, recency and importance are scored. Off, each source keeps its fixed rank.',
  },
  {
    name: 'sceneGate',
    title: 'Scene gate',
    what: 'A picture only speaks when the goal asks for it or something in it changed.',
  },
  {
    name: 'interrupts',
    title: 'Interrupts',
    what: 'Alerts, mentions and failing commands raise the zone and take their place.',
  },
  {
    name: 'adaptiveDepth',
    title: 'Adaptive depth',
    what: 'Broad questions recall wide and shallow, precise ones narrow and deep.',
  },
]

/** Each part of adaptive attention has a switch of its own, all off at first. */
export function Attention() {
  const faculty = useApp((s) => s.faculty)
  return (
    <section className="panel-block" aria-labelledby="settings-attention">
      <h2 id="settings-attention">Attention</h2>
      {SWITCHES.map(({ name, title, what }) => (
        <label key={name} className="row setting">
          <span className="grow">
            <b>{title}</b>
            <br />
            <span className="sub">{what}</span>
          </span>
          <input
            type="checkbox"
            role="switch"
            disabled={faculty === null || (name !== 'adaptive' && !faculty.adaptive)}
            checked={faculty?.[name] ?? false}
            aria-checked={faculty?.[name] ?? false}
            onChange={(event) =>
              void useApp.getState().saveSettings({ faculty: { [name]: event.target.checked } })
            }
          />
        </label>
      ))}
    </section>
  )
}
