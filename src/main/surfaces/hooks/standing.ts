import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { writeWhole } from './write-whole'

// What stood in an agent's settings where the hook was put in, so that taking it out again leaves what was there.

/** Nothing of the person's is kept but blanks. */
export const Standing = z.object({
  /** The whole file, where it held no settings; null when there was none. */
  blank: z.string().regex(/^\s*$/).nullable().optional(),
  /** What stood between the brackets of those that held nothing; null where there were none. */
  inner: z.record(z.string(), z.string().regex(/^\s*$/).nullable()),
})
export type Standing = z.infer<typeof Standing>

const Known = z.record(z.string(), Standing)

/** Of each settings file that holds the hook of a data folder. */
export class StandingBefore {
  constructor(private readonly home: string) {}

  of(settings: string): Standing | undefined {
    return this.all()[resolve(settings)]
  }

  keep(settings: string, standing: Standing): void {
    this.write({ ...this.all(), [resolve(settings)]: standing })
  }

  forget(settings: string): void {
    const { [resolve(settings)]: gone, ...rest } = this.all()
    if (gone) this.write(rest)
  }

  private get file(): string {
    return join(this.home, 'hooks.json')
  }

  private all(): z.infer<typeof Known> {
    try {
      return Known.parse(JSON.parse(readFileSync(this.file, 'utf8')))
    } catch {
      // None yet, or damaged: brackets that may be the person's are left, with nothing in them.
      return {}
    }
  }

  private write(known: z.infer<typeof Known>): void {
    writeWhole(this.file, `${JSON.stringify(known, null, 2)}\n`)
  }
}
