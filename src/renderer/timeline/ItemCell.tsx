import type { ItemDetail } from '@shared/journal'
import { date, plural } from '../lib/format'
import { useNow } from '../lib/use-now'
import { Tag } from '../parts/Tags'
import { useTimeline } from '../state/timeline'

const repeats = {
  exact: 'Word for word what was said before.',
  near: 'Nearly word for word what was said before.',
  paraphrase: 'Says in other words what was said before.',
  echo: 'Gives back what a frame of Fovea had told.',
} as const

/** The neighbourhood an item stands in, and what it repeats. */
export function ItemCell({ item }: { item: ItemDetail }) {
  const now = useNow()
  const { cell, repeats: repeat } = item
  return (
    <>
      {cell ? (
        <section>
          <h3>Cell</h3>
          <p className="foreign">{cell.name}</p>
          <p className="sub">
            {plural(cell.items, 'item')} in {plural(cell.sessions, 'session')} since {date(cell.since, now)}
          </p>
          <button
            type="button"
            className="linkish left"
            onClick={() => useTimeline.getState().within({ id: cell.id, name: cell.name })}
          >
            Show only this cell
          </button>
          <div className="row wrap names">
            {cell.tags.map((tag) => (
              <Tag key={tag} title="A word its items share">
                {tag}
              </Tag>
            ))}
          </div>
        </section>
      ) : null}
      {repeat ? (
        <section>
          <h3>Said before</h3>
          <button
            type="button"
            className="linkish left"
            onClick={() => useTimeline.getState().select(repeat.first)}
          >
            {repeats[repeat.kind]}
          </button>
        </section>
      ) : null}
    </>
  )
}
