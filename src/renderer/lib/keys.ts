import { useEffect, useRef } from 'react'

export type KeyMap = Record<string, (event: KeyboardEvent) => void>

const typingTags = new Set(['INPUT', 'TEXTAREA', 'SELECT'])

/** Whether a key pressed now belongs to a field or to an open dialog, and so not to a shortcut. */
export function isTaken(event: KeyboardEvent): boolean {
  const target = event.target
  if (target instanceof HTMLElement && (typingTags.has(target.tagName) || target.isContentEditable))
    return true
  return document.querySelector('dialog[open]') !== null
}

/** `ctrl+k`, `j`, `?`: the name a key map knows a press by. Cmd counts as Ctrl. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return `${event.ctrlKey || event.metaKey ? 'ctrl+' : ''}${event.altKey ? 'alt+' : ''}${key}`
}

/** Shortcuts of a screen while it is shown. Plain keys rest while the person types; `ctrl+` keys always work. */
export function useKeys(map: KeyMap): void {
  const latest = useRef(map)
  latest.current = map
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const name = keyName(event)
      const run = latest.current[name]
      if (!run || event.defaultPrevented) return
      if (isTaken(event) && !name.startsWith('ctrl+')) return
      event.preventDefault()
      run(event)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

/** The neighbour of `current` in a list, `step` away, kept inside its ends; the first when there is no current. */
export function neighbour<T>(list: readonly T[], current: T | null, step: 1 | -1): T | undefined {
  const at = current === null ? -1 : list.indexOf(current)
  if (at === -1) return step === 1 ? list[0] : list[list.length - 1]
  return list[Math.min(list.length - 1, Math.max(0, at + step))]
}
