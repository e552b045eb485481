import { useApp } from './state/app'

/** Keeps `data-theme` on the root in step with the setting and, for `system`, with the machine. */
export function followTheme(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const apply = (): void => {
    const { theme } = useApp.getState()
    document.documentElement.dataset.theme = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
  }
  dark.addEventListener('change', apply)
  useApp.subscribe(apply)
  apply()
}
