const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/

/** Keeps count of Markdown's code fences, line by line (CommonMark §4.5). */
export class Fences {
  private open: string | null
  /** The line just seen opened a fence, without saying what is in it. */
  private openedBare = false

  /** @param saved marks of the fence that was open, as `marks` said */
  constructor(saved: string | null = null) {
    this.open = saved
  }

  /** The marks of the open fence. */
  get marks(): string | null {
    return this.open
  }

  get inside(): boolean {
    return this.open !== null
  }

  /** True when the line is a fence or stands inside of one. */
  see(line: string): boolean {
    const match = FENCE.exec(line)
    const marks = match?.[1] ?? ''
    const info = (match?.[2] ?? '').trim()
    this.openedBare = false
    if (this.open === null) {
      // An info string with back-ticks makes it inline code.
      if (!match || (marks.startsWith('`') && info.includes('`'))) return false
      this.open = marks
      this.openedBare = info === ''
      return true
    }
    if (match && marks[0] === this.open[0] && marks.length >= this.open.length && info === '')
      this.open = null
    return true
  }

  /**
   * Call where the text says that a block has ended. Careless writers put fences of one length inside each other; then
   * the closing fence of the outer one, right before, looked like an opening one.
   */
  blockEnded(): void {
    if (this.openedBare) this.open = null
  }
}
