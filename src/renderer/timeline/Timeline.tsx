import { useEffect } from 'react'
import { useApp } from '../state/app'
import { useArcs, useDays, useItem, useSearch, useTimeline } from '../state/timeline'
import { ArcList } from './ArcList'
import { Hits } from './Hits'
import { Inspector } from './Inspector'
import { SearchBar } from './SearchBar'

export function Timeline() {
  const project = useApp((s) => s.project)
  const searching = useTimeline((s) => s.text.trim() !== '')
  const selected = useTimeline((s) => s.selected)
  const item = useItem()
  const search = useSearch()

  useEffect(() => {
    void useDays.getState().load(project ? { project } : {})
    void useArcs.getState().start(null)
    if (useTimeline.getState().text) useTimeline.getState().search({})
  }, [project])

  return (
    <div className="timeline">
      <section className="timeline-main" aria-label="Timeline">
        <SearchBar />
        {searching ? <Hits remote={search} /> : <ArcList />}
      </section>
      <aside className="scroll pane inspector" aria-label="Item">
        <Inspector remote={item} selected={selected} />
      </aside>
    </div>
  )
}
