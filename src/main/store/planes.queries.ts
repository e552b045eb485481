import type { ReadDb, WriteDb } from './db'

export function planes(db: ReadDb): { name: string; body: string }[] {
  return db.all('SELECT name, body FROM planes ORDER BY name')
}

export function planeBody(db: ReadDb, name: string): string | undefined {
  return db.get<{ body: string }>('SELECT body FROM planes WHERE name = ?', [name])?.body
}

export function putPlane(db: WriteDb, name: string, body: string, now: number): void {
  db.run(
    `INSERT INTO planes (name, body, saved_at) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET body = excluded.body, saved_at = excluded.saved_at`,
    [name, body, now],
  )
}

/** Whether there was one. */
export function removePlane(db: WriteDb, name: string): boolean {
  return db.run('DELETE FROM planes WHERE name = ?', [name]).changes > 0
}
