import {
  type Answers,
  curate,
  type EmbedNow,
  LogicEngine,
  type LogicPorts,
  logicHost,
  updateArcs,
} from '../../../src/main/curator'
import type { ReadDb, WriteDb } from '../../../src/main/store'
import { temporaryDb } from '../../support'
import { handleOf, insertItem } from '../models/journal-rows'

// One engine for the file, as for a thread; each test points it at a journal of its own.
export let engine: LogicEngine
export let ports: LogicPorts
const noModel: EmbedNow = () => ({ reason: 'The embedding model is not there.' })

/** Starts it. Call it before all tests. */
export async function startEngine(): Promise<void> {
  const host = logicHost({
    read: new Proxy({} as ReadDb, {
      get: (_, name) => Reflect.get(ports.read, name),
    }),
    embedNow: (text) => ports.embedNow(text),
    findWords: (text, k) => ports.findWords(text, k),
  })
  engine = await LogicEngine.start(host, { inferences: 2_000_000 })
}

export function use(read: ReadDb, embedNow: EmbedNow = noModel): void {
  ports = { read, embedNow, findWords: () => [] }
}

export function ask(goal: string, most = 20): Answers['answers'] {
  return engine.ask(goal, most).answers
}

/** The error a goal ends with, as `code: message`. */
export function refusal(goal: string): string {
  try {
    return `answered ${JSON.stringify(engine.ask(goal, 5).answers)}`
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`
  }
}

/** Two sessions in two projects: a goal, an edit, a failed command, a conclusion; a second goal on the same file. */
export function journal(): WriteDb {
  const db = temporaryDb()
  db.transaction(() => {
    const login = handleOf('login')
    const speed = handleOf('speed')
    const first = { session: 'generic:s1', project: 'shop' }
    const second = { session: 'generic:s2', project: 'mail' }
    insertItem(db, { ...first, name: 'login', kind: 'goal', goal: login, text: 'Fix the login', position: 1 })
    insertItem(db, {
      ...first,
      name: 'edit',
      kind: 'file_op',
      goal: login,
      position: 2,
      text: 'Edit',
      data: { path: 'src/login.ts', op: 'edit' },
    })
    insertItem(db, {
      ...first,
      name: 'run',
      kind: 'error',
      goal: login,
      position: 3,
      text: '$ npm test\nExit code 1\nTypeError: no session',
      data: { tool: 'Bash', command: 'npm test' },
    })
    insertItem(db, {
      ...first,
      name: 'end',
      kind: 'conclusion',
      goal: login,
      position: 4,
      text: 'We decided to keep the cookie instead of a token.',
    })
    insertItem(db, {
      ...second,
      name: 'speed',
      kind: 'goal',
      goal: speed,
      text: "Make Ada's page quick\nand small",
      position: 1,
    })
    insertItem(db, {
      ...second,
      name: 'edit2',
      kind: 'file_op',
      goal: speed,
      position: 2,
      text: 'Edit',
      data: { path: 'src/login.ts', op: 'edit' },
    })
    db.run("UPDATE sessions SET parent_id = 'generic:s1' WHERE id = 'generic:s2'")
    updateArcs(db, ['generic:s1', 'generic:s2'])
  })
  while (curate(db, { now: 1 }) > 0);
  use(db)
  return db
}
