import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Json, put } from './transcripts'

// A hand-made opencode session, as the old files and as the database hold it.

export interface Message {
  id: string
  data: Json
  parts: { id: string; data: Json }[]
}
export interface Session {
  id: string
  header: Json
  messages: Message[]
}

export const T0 = Date.parse('2026-05-04T09:00:00Z')

/** Writes one session; ids and times count up, so that the same calls give the same rows. */
export function opencodeSession(id = 'ses_a1', header: Json = {}) {
  let n = 0
  const session: Session = {
    id,
    header: {
      projectID: 'prj',
      directory: '/srv/shop',
      title: 'Shop',
      version: '1.2.0',
      time: { created: T0, updated: T0 },
      ...header,
    },
    messages: [],
  }
  const next = (prefix: string): string => `${prefix}_${id.slice(4)}${String(++n).padStart(4, '0')}`
  const add = (data: Json, parts: readonly Json[]): Message => {
    const made: Message = { id: next('msg'), data: { time: { created: T0 + n * 1000 }, ...data }, parts: [] }
    for (const part of parts) made.parts.push({ id: next('prt'), data: part })
    session.messages.push(made)
    return made
  }
  return {
    session,
    user: (text: string, ...more: Json[]) => add({ role: 'user' }, [{ type: 'text', text }, ...more]),
    agent: (...parts: Json[]) =>
      add(
        {
          role: 'assistant',
          mode: 'build',
          path: { cwd: '/srv/shop', root: '/srv/shop' },
          time: { created: T0 + (n + 1) * 1000, completed: T0 + (n + 2) * 1000 },
        },
        [{ type: 'step-start' }, ...parts, { type: 'step-finish', reason: 'stop' }],
      ),
    add,
  }
}
export const said = (text: string, extra: Json = {}): Json => ({ type: 'text', text, ...extra })
export const tool = (name: string, input: Json, state: Json = {}): Json => ({
  type: 'tool',
  tool: name,
  callID: `call_${name}`,
  state: { status: 'completed', input, output: '', metadata: {}, ...state },
})

const SCHEMA = `
  CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL, time_created integer, time_updated integer);
  CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, title text NOT NULL,
    directory text NOT NULL, version text, time_created integer NOT NULL, time_updated integer NOT NULL,
    CONSTRAINT fk FOREIGN KEY (project_id) REFERENCES project(id));
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE todo (session_id text NOT NULL, content text, status text, position integer,
    PRIMARY KEY (session_id, position));
  CREATE TABLE account (id text PRIMARY KEY, access_token text);
  CREATE INDEX message_session_idx ON message (session_id);
  CREATE INDEX part_message_idx ON part (message_id);
  CREATE INDEX part_session_idx ON part (session_id);`

/** opencode's own database, open as opencode keeps it. */
export function opencodeDatabase(path: string, pragmas: readonly string[] = ['journal_mode = WAL']) {
  put(path, '')
  const db = new Database(path)
  for (const pragma of pragmas) db.pragma(pragma)
  db.pragma('synchronous = OFF')
  db.exec(SCHEMA)
  const value = (json: unknown): string => (typeof json === 'string' ? json : JSON.stringify(json))
  const upsert = (table: string, row: Json): void => {
    const names = Object.keys(row)
    const set = names.map((name) => `${name} = excluded.${name}`).join(', ')
    db.prepare(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
       ON CONFLICT (id) DO UPDATE SET ${set}`,
    ).run(...Object.values(row))
  }
  let tick = 0
  return {
    db,
    session(session: Session): void {
      const { projectID, directory, title, parentID, version, time } = session.header as Record<string, never>
      const { created, updated } = (time ?? {}) as { created: number; updated: number }
      upsert('project', { id: projectID, worktree: '/srv/shop' })
      upsert('session', {
        id: session.id,
        project_id: projectID,
        parent_id: parentID ?? null,
        title,
        directory,
        version,
        time_created: created,
        time_updated: updated,
      })
    },
    message(session: Session, { id, data }: Message): void {
      const created = (data.time as { created: number }).created
      upsert('message', {
        id,
        session_id: session.id,
        time_created: created,
        time_updated: created + ++tick,
        data: value(data),
      })
    },
    part(session: Session, message: Message, part: { id: string; data: unknown }): void {
      const created = (message.data.time as { created: number }).created
      upsert('part', {
        id: part.id,
        message_id: message.id,
        session_id: session.id,
        time_created: created,
        time_updated: created + ++tick,
        data: value(part.data),
      })
    },
    all(session: Session): void {
      db.transaction(() => {
        this.session(session)
        for (const message of session.messages) {
          this.message(session, message)
          for (const part of message.parts) this.part(session, message, part)
        }
      })()
    },
  }
}

/** The small files of version 1.1. */
export function opencodeTree(root: string, session: Session): void {
  const storage = join(root, 'storage')
  const { id, header, messages } = session
  for (const message of messages) {
    for (const part of message.parts) {
      const ids = { id: part.id, sessionID: id, messageID: message.id }
      put(join(storage, 'part', message.id, `${part.id}.json`), JSON.stringify({ ...ids, ...part.data }))
    }
    put(
      join(storage, 'message', id, `${message.id}.json`),
      JSON.stringify({ id: message.id, sessionID: id, ...message.data }),
    )
  }
  put(join(storage, 'session', String(header.projectID), `${id}.json`), JSON.stringify({ id, ...header }))
}

/** The small files of before mid-2025: a folder for each project, named after its path. */
export function opencodeOlder(root: string, { id, header, messages }: Session): void {
  const session = join(root, 'project', 'srv-shop', 'storage', 'session')
  for (const message of messages) {
    const folder = join(session, 'part', id, message.id)
    for (const part of message.parts) {
      const ids = { id: part.id, sessionID: id, messageID: message.id }
      put(join(folder, `${part.id}.json`), JSON.stringify({ ...ids, ...part.data }))
    }
    const ids = { id: message.id, sessionID: id }
    put(join(session, 'message', id, `${message.id}.json`), JSON.stringify({ ...ids, ...message.data }))
  }
  const { directory: _, projectID: __, ...said } = header
  put(join(session, 'info', `${id}.json`), JSON.stringify({ id, ...said }))
  put(join(session, 'share', `${id}.json`), JSON.stringify({ secret: 'not-read', url: 'https://x.org/s' }))
}

/** The messages of the first versions: one file each, with its parts inside and what its calls left in its metadata. */
export function opencodeFirst(root: string, id: string, messages: readonly Json[]): void {
  const session = join(root, 'project', 'srv-shop', 'storage', 'session')
  for (const message of messages) {
    const path = join(session, 'message', id, `${String(message.id)}.json`)
    put(path, JSON.stringify({ ...message, metadata: { sessionID: id, ...(message.metadata as Json) } }))
  }
  const info = { id, title: 'Shop', version: '0.1.0', time: { created: T0, updated: T0 } }
  put(join(session, 'info', `${id}.json`), JSON.stringify(info))
}
