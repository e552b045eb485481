import { Command } from 'cmdk'
import { useRef, useState } from 'react'
import { outcomeName } from '../lib/words'
import { Dialog } from '../parts/Dialog'
import { useApp } from '../state/app'
import { useDesk, useQueue } from '../state/gates'
import { useProjects } from '../state/memory'
import { openReceipt, useReceiptList, useReceipts } from '../state/receipts'
import { useTimeline } from '../state/timeline'
import { useActiveOption } from './active-option'
import { workspaces } from './Nav'
import { palettePlace } from './palette-place'

/** How many of a kind are offered before anything is typed, and after. */
const few = 4
const many = 40

/** Search and commands in one box. A search in memory runs only when it is chosen: every recall leaves a receipt. */
export function Palette() {
  const { close, go, open, setProject, saveSettings } = useApp.getState()
  const [text, setText] = useState('')
  const query = text.trim()
  const root = useRef<HTMLDivElement>(null)
  useActiveOption(root)
  const run = (work: () => void) => () => {
    close()
    work()
  }
  const searchMemory = (): void => {
    go('timeline')
    useTimeline.getState().search({ text: query })
  }
  const render = (): void => {
    go('receipts')
    useReceipts.getState().edit({ goal: query })
    void useReceipts.getState().render()
  }
  return (
    <Dialog title="Search and commands" bare onClose={close}>
      <Command ref={root} label="Search and commands" loop filter={palettePlace}>
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="Search memory, gates, receipts"
          autoFocus
        />
        <Command.List label="Results">
          <Command.Empty>Nothing by that name.</Command.Empty>
          {query ? (
            <Command.Group heading="Memory" forceMount>
              <Command.Item forceMount value="search-memory" onSelect={run(searchMemory)}>
                <span>Search memory for</span> <q className="clip">{query}</q>
              </Command.Item>
              <Command.Item forceMount value="render-frame" onSelect={run(render)}>
                <span>Render a frame for</span> <q className="clip">{query}</q>
              </Command.Item>
            </Command.Group>
          ) : null}
          <Command.Group heading="Go to">
            {workspaces.map(({ id, name, key }) => (
              <Command.Item key={id} value={`go to ${name}`} onSelect={run(() => go(id))}>
                <span className="grow">{name}</span>
                <kbd>{key}</kbd>
              </Command.Item>
            ))}
          </Command.Group>
          <Gates run={run} show={query ? many : few} />
          <Receipts run={run} show={query ? many : few} />
          <Projects run={run} show={query ? many : few} />
          <Command.Group heading="Do">
            <Command.Item value="add a plan to review" onSelect={() => open('add-gate')}>
              Add a plan to review
            </Command.Item>
            <Command.Item value="add a source folder" onSelect={() => open('add-source')}>
              Add a source
            </Command.Item>
            <Command.Item value="all projects filter" onSelect={run(() => setProject(null))}>
              Show all projects
            </Command.Item>
            {(['light', 'dark', 'system'] as const).map((theme) => (
              <Command.Item
                key={theme}
                value={`theme ${theme}`}
                onSelect={run(() => void saveSettings({ theme }))}
              >
                Theme: {theme}
              </Command.Item>
            ))}
            <Command.Item value="keys shortcuts help" onSelect={() => open('keys')}>
              <span className="grow">Keys</span>
              <kbd>?</kbd>
            </Command.Item>
          </Command.Group>
        </Command.List>
      </Command>
    </Dialog>
  )
}

type Run = { run: (work: () => void) => () => void; show: number }

function Gates({ run, show }: Run) {
  const queue = useQueue((s) => s.value)
  const gates = queue ? [...queue.open, ...queue.decided].slice(0, show) : []
  if (gates.length === 0) return null
  return (
    <Command.Group heading="Gates">
      {gates.map((gate) => (
        <Command.Item
          key={gate.id}
          value={`gate ${gate.title} ${gate.id}`}
          onSelect={run(() => {
            useApp.getState().go('gates')
            void useDesk.getState().select(gate.id)
          })}
        >
          <span className="grow clip">{gate.title}</span>
          <span className="sub">{gate.outcome ? outcomeName[gate.outcome] : gate.status}</span>
        </Command.Item>
      ))}
    </Command.Group>
  )
}

function Receipts({ run, show }: Run) {
  const receipts = (useReceiptList((s) => s.value) ?? []).slice(0, show)
  if (receipts.length === 0) return null
  return (
    <Command.Group heading="Receipts">
      {receipts.map((receipt) => (
        <Command.Item
          key={receipt.id}
          value={`receipt ${receipt.goal} ${receipt.id}`}
          onSelect={run(() => openReceipt(receipt.id))}
        >
          <span className="grow clip">{receipt.goal}</span>
          <span className="sub">{receipt.kind}</span>
        </Command.Item>
      ))}
    </Command.Group>
  )
}

function Projects({ run, show }: Run) {
  const projects = useProjects((s) => s.value) ?? []
  return (
    <Command.Group heading="Only this project">
      {projects.slice(0, show).map(({ name }) => (
        <Command.Item
          key={name}
          value={`project ${name}`}
          onSelect={run(() => useApp.getState().setProject(name))}
        >
          <span className="grow clip">{name}</span>
        </Command.Item>
      ))}
    </Command.Group>
  )
}
