import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './Button'

interface DialogProps {
  title: string
  /** Hides the title from sight, not from a screen reader. */
  bare?: boolean
  wide?: boolean
  onClose: () => void
  children: ReactNode
}

/** The browser's own modal: it holds the focus, closes on Escape, gives the focus back, and injects no style. */
export function Dialog({ title, bare = false, wide = false, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) {
      dialog.showModal()
      // The browser takes the first thing that can hold the focus, which need not be a field.
      dialog.querySelector<HTMLElement>('input, textarea, select')?.focus()
    }
    return () => dialog?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; Escape is the key for it.
    <dialog
      ref={ref}
      className={`dialog ${wide ? 'wide' : ''} ${bare ? 'bare' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose()
      }}
    >
      <div className="dialog-body">
        <h2 id={id} className={bare ? 'sr-only' : 'dialog-title'}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  children: ReactNode
  yes: string
  danger?: boolean
  onYes: () => void
  onClose: () => void
}

export function Confirm({ title, children, yes, danger = false, onYes, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div className="dialog-actions">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          look={danger ? 'danger' : 'go'}
          onClick={() => {
            onClose()
            onYes()
          }}
        >
          {yes}
        </Button>
      </div>
    </Dialog>
  )
}
