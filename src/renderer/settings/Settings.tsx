import { useEffect } from 'react'
import { useInfo, useSources } from '../state/memory'
import { About } from './About'
import { Appearance } from './Appearance'
import { Attention } from './Attention'
import { ExportPanel } from './ExportPanel'
import { Hooks } from './Hooks'
import { Models } from './Models'
import { PlaneEditor } from './PlaneEditor'
import { Projects } from './Projects'
import { RemovedSources } from './RemovedSources'
import { Retention } from './Retention'
import { SourceList } from './SourceList'

export function Settings() {
  useEffect(() => {
    void useSources.getState().load({})
    void useInfo.getState().load({})
  }, [])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard.
    <section className="scroll settings" aria-label="Settings" tabIndex={0}>
      <div className="settings-page">
        <h1>Settings</h1>
        <SourceList />
        <RemovedSources />
        <Projects />
        <Appearance />
        <Models />
        <Attention />
        <Hooks />
        <PlaneEditor />
        <Retention />
        <ExportPanel />
        <About />
      </div>
    </section>
  )
}
