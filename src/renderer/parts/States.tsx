import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CallError } from '../client'
import type { Remote } from '../state/remote'
import { Button } from './Button'

export function Loading({ label }: { label: string }) {
  return (
    <div className="state" role="status">
      <span className="pulse" aria-hidden="true" />
      <p className="sub">{label}</p>
    </div>
  )
}

/** What failed, in the sentence main sent, and a way to try again. */
export function Failed({ error, retry }: { error: Pick<CallError, 'message'>; retry?: () => void }) {
  return (
    <div className="state failed" role="alert">
      <p>{error.message}</p>
      {retry ? (
        <Button onClick={retry}>
          <RotateCw aria-hidden="true" /> Try again
        </Button>
      ) : null}
    </div>
  )
}

interface EmptyProps {
  title: string
  level?: 2 | 3
  children?: ReactNode
  actions?: ReactNode
}

/** Nothing here yet, and what to do next. */
export function Empty({ title, level = 2, children, actions }: EmptyProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <div className="state empty">
      <svg className="eye" viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="21" />
        <circle cx="24" cy="24" r="12" />
        <circle cx="24" cy="24" r="4" />
      </svg>
      <Heading>{title}</Heading>
      {children}
      {actions ? <div className="row wrap center">{actions}</div> : null}
    </div>
  )
}

interface LoadedProps<A, T> {
  remote: Pick<Remote<A, T>, 'status' | 'value' | 'error' | 'refresh'>
  label: string
  children: (value: T) => ReactNode
}

/** The three states of a question. An answer stays on screen while it is asked again, also when that fails. */
export function Loaded<A, T>({ remote, label, children }: LoadedProps<A, T>) {
  if (remote.value !== null) return <>{children(remote.value)}</>
  if (remote.status === 'failed' && remote.error) {
    return <Failed error={remote.error} retry={() => void remote.refresh()} />
  }
  return remote.status === 'loading' ? <Loading label={label} /> : null
}
