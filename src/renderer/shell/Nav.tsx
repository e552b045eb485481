import { Check, CircleDot, ListFilter, type LucideIcon, Settings, SquareTerminal } from 'lucide-react'
import { plural } from '../lib/format'
import { useApp, type Workspace } from '../state/app'
import { useQueue } from '../state/gates'

export const workspaces: readonly { id: Workspace; name: string; key: string; icon: LucideIcon }[] = [
  { id: 'gates', name: 'Gate review', key: '1', icon: Check },
  { id: 'timeline', name: 'Timeline', key: '2', icon: ListFilter },
  { id: 'receipts', name: 'Receipts', key: '3', icon: CircleDot },
  { id: 'query', name: 'Query', key: '5', icon: SquareTerminal },
  { id: 'settings', name: 'Settings', key: '4', icon: Settings },
]

export function Nav() {
  const workspace = useApp((s) => s.workspace)
  const go = useApp((s) => s.go)
  const waiting = useQueue((s) => s.value?.open.length ?? 0)
  return (
    <nav className="side-nav" aria-label="Workspaces">
      {workspaces.map(({ id, name, key, icon: Icon }) => {
        const badge = id === 'gates' && waiting > 0 ? waiting : 0
        return (
          <button
            key={id}
            type="button"
            className={id === 'settings' ? 'last' : ''}
            aria-current={workspace === id ? 'page' : undefined}
            aria-label={badge ? `${name}, ${plural(badge, 'gate')} waiting` : name}
            aria-keyshortcuts={key}
            title={`${name} (${key})`}
            onClick={() => go(id)}
          >
            <Icon aria-hidden="true" />
            {badge ? <i aria-hidden="true">{badge > 99 ? '99+' : badge}</i> : null}
          </button>
        )
      })}
    </nav>
  )
}
