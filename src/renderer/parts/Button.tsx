import type { ButtonHTMLAttributes, ReactNode } from 'react'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'go' | 'quiet' | 'danger'
  /** The key that does the same, shown in the button. */
  hint?: string
  children: ReactNode
}

export function Button({ look = 'plain', hint, children, className = '', ...rest }: ButtonProps) {
  return (
    <button type="button" className={`button ${look} ${className}`} aria-keyshortcuts={hint} {...rest}>
      {children}
      {hint ? <kbd>{hint}</kbd> : null}
    </button>
  )
}
