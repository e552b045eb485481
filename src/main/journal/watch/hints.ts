/** A subscription to the system's notifications for a folder. */
export interface Hint {
  stop(): Promise<void>
}

/**
 * Asks the system to tell of changes under a folder. null when it cannot: the sweeps see everything anyway, later.
 */
export async function subscribe(folder: string, changed: (path: string) => void): Promise<Hint | null> {
  try {
    const watcher = await import('@parcel/watcher')
    const subscription = await watcher.subscribe(
      folder,
      (error, events) => {
        if (error) return
        for (const event of events) if (event.type !== 'delete') changed(event.path)
      },
      { ignore: ['**/node_modules/**', '**/.git/**', '**/file-history/**'] },
    )
    return { stop: () => subscription.unsubscribe() }
  } catch {
    return null
  }
}
