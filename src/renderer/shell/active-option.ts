import { type RefObject, useEffect } from 'react'

/**
 * Keeps `aria-activedescendant` of a cmdk list on the option that is selected. cmdk 1.1 points it at an option
 * that filtering has just removed, so that a screen reader would hear nothing.
 */
export function useActiveOption(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = root.current
    if (!element) return
    const follow = (): void => {
      const id = element.querySelector('[cmdk-item][aria-selected="true"]')?.id
      for (const holder of element.querySelectorAll('[cmdk-input], [cmdk-list]')) {
        if (id === (holder.getAttribute('aria-activedescendant') ?? undefined)) continue
        if (id) holder.setAttribute('aria-activedescendant', id)
        else holder.removeAttribute('aria-activedescendant')
      }
    }
    const observer = new MutationObserver(follow)
    const attributeFilter = ['aria-selected', 'aria-activedescendant']
    observer.observe(element, { subtree: true, childList: true, attributes: true, attributeFilter })
    follow()
    return () => observer.disconnect()
  }, [root])
}
