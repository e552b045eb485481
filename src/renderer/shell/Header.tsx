import { Search } from 'lucide-react'
import { useApp } from '../state/app'
import { useProjects, usePulse, useStats } from '../state/memory'

export function Header() {
  const open = useApp((s) => s.open)
  return (
    <header className="top">
      <span className="brand">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="8.2" />
          <circle cx="10" cy="10" r="3.4" />
        </svg>
        fovea
      </span>
      <ProjectFilter />
      <button type="button" className="find" onClick={() => open('palette')} aria-keyshortcuts="Control+K">
        <Search aria-hidden="true" />
        <span className="grow">Search memory, gates, receipts</span>
        <kbd>Ctrl K</kbd>
      </button>
      <StatusTag />
    </header>
  )
}

function ProjectFilter() {
  const project = useApp((s) => s.project)
  const setProject = useApp((s) => s.setProject)
  const projects = useProjects((s) => s.value) ?? []
  return (
    <select
      className="project"
      aria-label="Project"
      value={project ?? ''}
      onChange={(event) => setProject(event.target.value === '' ? null : event.target.value)}
    >
      <option value="">all projects</option>
      {projects.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** One word on how Fovea is; it opens the sentences behind it. */
function StatusTag() {
  const go = useApp((s) => s.go)
  const reading = usePulse((s) => s.ingest?.running ?? false)
  const degraded = usePulse((s) => s.degraded)
  const silent = useStats((s) => s.status === 'failed')
  const [tone, word] = silent
    ? (['red', 'not answering'] as const)
    : reading
      ? (['iris', 'reading'] as const)
      : degraded.length > 0
        ? (['amber', 'lesser path'] as const)
        : (['green', 'all well'] as const)
  return (
    <button
      type="button"
      className={`tag ${tone} status`}
      title={degraded.join(' ')}
      onClick={() => go('settings')}
    >
      {word}
    </button>
  )
}
