import { type ComponentType, useEffect } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { FirstRun } from './first-run/FirstRun'
import { AddGate } from './gate-review/AddGate'
import { GateReview } from './gate-review/GateReview'
import { useKeys } from './lib/keys'
import { Dialog } from './parts/Dialog'
import { Failed, Loading } from './parts/States'
import { Query } from './query/Query'
import { Receipts } from './receipts/Receipts'
import { Settings } from './settings/Settings'
import { Footer } from './shell/Footer'
import { Header } from './shell/Header'
import { KeysHelp } from './shell/KeysHelp'
import { Nav, workspaces } from './shell/Nav'
import { Palette } from './shell/Palette'
import { Toasts } from './shell/Toasts'
import { useApp, type Workspace } from './state/app'
import { useQueue } from './state/gates'
import { Timeline } from './timeline/Timeline'

const screens: Record<Workspace, ComponentType> = {
  gates: GateReview,
  timeline: Timeline,
  receipts: Receipts,
  query: Query,
  settings: Settings,
}

export function App() {
  useShellKeys()
  const project = useApp((s) => s.project)
  useEffect(() => {
    void useQueue.getState().load(project ? { project } : {})
  }, [project])
  return (
    <>
      <Header />
      <Nav />
      <Main />
      <Footer />
      <Overlays />
      <Toasts />
    </>
  )
}

function Main() {
  const workspace = useApp((s) => s.workspace)
  const phase = useApp((s) => s.phase)
  // Tells whoever measures or drives the app from outside how far it is.
  useEffect(() => {
    document.documentElement.dataset.phase = phase
  }, [phase])
  const Screen = screens[workspace]
  // The welcome stays until the person moves on, so that the first reading can be watched.
  const welcome = phase === 'welcome' && workspace !== 'settings'
  // Settings and the welcome show a title of their own.
  const own = workspace === 'settings' && phase !== 'starting'
  return (
    <main className="main" key={welcome ? 'welcome' : workspace}>
      {own || welcome ? null : (
        <h1 className="sr-only">{workspaces.find(({ id }) => id === workspace)?.name}</h1>
      )}
      <ErrorBoundary fallbackRender={({ resetErrorBoundary }) => <Broken retry={resetErrorBoundary} />}>
        {phase === 'starting' ? <Loading label="Opening your memory" /> : welcome ? <FirstRun /> : <Screen />}
      </ErrorBoundary>
    </main>
  )
}

function Broken({ retry }: { retry: () => void }) {
  return (
    <Failed
      error={{
        message: 'This screen could not be drawn. Your memory is untouched; the other screens still work.',
      }}
      retry={retry}
    />
  )
}

function Overlays() {
  const overlay = useApp((s) => s.overlay)
  const close = useApp((s) => s.close)
  if (overlay === 'palette') return <Palette />
  if (overlay === 'keys') return <KeysHelp />
  if (overlay === 'add-gate') return <AddGate />
  if (overlay === 'add-source') {
    return (
      <Dialog title="Add a source" onClose={close} wide>
        <FirstRun inDialog />
      </Dialog>
    )
  }
  return null
}

function useShellKeys(): void {
  const { go, open } = useApp.getState()
  const to = (workspace: Workspace) => () => go(workspace)
  useKeys({
    '1': to('gates'),
    '2': to('timeline'),
    '3': to('receipts'),
    '4': to('settings'),
    '5': to('query'),
    'ctrl+1': to('gates'),
    'ctrl+2': to('timeline'),
    'ctrl+3': to('receipts'),
    'ctrl+4': to('settings'),
    'ctrl+5': to('query'),
    'ctrl+k': () => open('palette'),
    'ctrl+,': to('settings'),
    '/': () => open('palette'),
    '?': () => open('keys'),
  })
}
