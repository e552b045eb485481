import type { ItemKind } from '@shared/domain'
import { Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { kindName } from '../lib/words'
import { useTimeline } from '../state/timeline'

const kinds = Object.keys(kindName) as ItemKind[]
const spans: readonly { days: number | null; label: string }[] = [
  { days: null, label: 'any time' },
  { days: 7, label: 'last 7 days' },
  { days: 30, label: 'last 30 days' },
  { days: 365, label: 'last year' },
]

export function SearchBar() {
  const { text, kind, days, cell } = useTimeline()
  const { search, within } = useTimeline.getState()
  const [draft, setDraft] = useState(text)
  useEffect(() => setDraft(text), [text])
  return (
    <search className="search-bar">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          search({ text: draft })
        }}
      >
        <Search aria-hidden="true" />
        <input
          type="text"
          aria-label="Search memory"
          placeholder="Search memory: words, a file, an error, a date"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') search({ text: '' })
          }}
        />
        {text ? (
          <button
            type="button"
            className="icon"
            aria-label="Clear the search"
            onClick={() => search({ text: '' })}
          >
            <X aria-hidden="true" />
          </button>
        ) : null}
      </form>
      {cell ? (
        <button
          type="button"
          className="chip"
          title={`Only what belongs to the cell “${cell.name}”`}
          aria-label={`Show more than the cell ${cell.name}`}
          onClick={() => within(null)}
        >
          <span className="clip foreign">{cell.name}</span>
          <X aria-hidden="true" />
        </button>
      ) : null}
      <select
        aria-label="Kind"
        value={kind ?? ''}
        onChange={(event) =>
          search({ kind: event.target.value === '' ? null : (event.target.value as ItemKind) })
        }
      >
        <option value="">any kind</option>
        {kinds.map((one) => (
          <option key={one} value={one}>
            {kindName[one]}
          </option>
        ))}
      </select>
      <select
        aria-label="Time"
        value={days ?? ''}
        onChange={(event) => search({ days: event.target.value === '' ? null : Number(event.target.value) })}
      >
        {spans.map((span) => (
          <option key={span.label} value={span.days ?? ''}>
            {span.label}
          </option>
        ))}
      </select>
    </search>
  )
}
