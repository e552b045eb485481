import { X } from 'lucide-react'
import { useEffect } from 'react'
import { type Toast, useApp } from '../state/app'

export function Toasts() {
  const toasts = useApp((s) => s.toasts)
  return (
    <div className="toasts" aria-live="polite" role="status">
      {toasts.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

const staysMs = 6000

function ToastLine({ toast }: { toast: Toast }) {
  const dismiss = useApp((s) => s.dismiss)
  useEffect(() => {
    // A failure stays until it is read and closed.
    if (toast.tone === 'red') return
    const timer = setTimeout(() => dismiss(toast.id), staysMs)
    return () => clearTimeout(timer)
  }, [toast, dismiss])
  return (
    <div className={`toast ${toast.tone}`}>
      <p>{toast.text}</p>
      <button type="button" aria-label="Close this notice" onClick={() => dismiss(toast.id)}>
        <X aria-hidden="true" />
      </button>
    </div>
  )
}
