import type { Receipt, ReceiptLine } from '@shared/recall'
import { useEffect, useMemo } from 'react'
import { count, dateTime, dateTimeExact, plural } from '../lib/format'
import { useKeys } from '../lib/keys'
import { sameMinute } from '../lib/same-minute'
import { useNow } from '../lib/use-now'
import { pathTone } from '../lib/words'
import { Button } from '../parts/Button'
import { Segmented } from '../parts/Segmented'
import { Empty, Loaded } from '../parts/States'
import { Tag } from '../parts/Tags'
import { VirtualList } from '../parts/VirtualList'
import { hasTrace, isTraced, usePrompts, useReceiptList, useReceipts } from '../state/receipts'

export function ReceiptList() {
  const { comparing, list } = useReceipts()
  // Prompts are made in the background, and only where a model is chosen.
  useEffect(() => void usePrompts.getState().load({}), [])
  return list === 'prompts' && !comparing ? <Prompts /> : <Earlier />
}

/** Receipts or prompts; offered once there is a prompt. */
function Heading() {
  const prompts = usePrompts((s) => s.value?.length ?? 0)
  const list = useReceipts((s) => s.list)
  return (
    <div className="list-title row">
      <h2 className="grow">{list === 'receipts' ? 'Earlier receipts' : 'Prompts to the language model'}</h2>
      {prompts > 0 ? (
        <Segmented
          label="What to list"
          value={list}
          onChange={(next) => useReceipts.getState().edit({ list: next })}
          options={[
            { value: 'receipts', label: 'receipts' },
            { value: 'prompts', label: 'prompts to the model' },
          ]}
        />
      ) : null}
    </div>
  )
}

function Prompts() {
  const prompts = usePrompts()
  const now = useNow()
  return (
    <Loaded remote={prompts} label="Looking for prompts">
      {(list) => (
        <>
          <Heading />
          <VirtualList
            label="Prompts to the language model"
            rows={list}
            rowKey={(line) => line.id}
            estimate={() => 60}
            render={(line) => (
              <button
                type="button"
                className="receipt-row"
                onClick={() => void useReceipts.getState().openPrompt(line.id)}
              >
                <b className="clip">{line.goal}</b>
                <span className="row sub">
                  <span className="clip">
                    {line.kept} of {plural(line.bids, 'bid')} · {count(line.spent)} of {count(line.budget)}{' '}
                    tokens
                  </span>
                  <span className="grow" />
                  <span>{dateTime(line.createdAt, now)}</span>
                </span>
              </button>
            )}
          />
        </>
      )}
    </Loaded>
  )
}

function Earlier() {
  const receipts = useReceiptList()
  const prompts = usePrompts((s) => s.value?.length ?? 0)
  const comparing = useReceipts((s) => s.comparing)
  const twins = useMemo(() => sameMinute(receipts.value ?? []), [receipts.value])
  return (
    <Loaded remote={receipts} label="Looking for receipts">
      {(list) =>
        list.length === 0 ? (
          <>
            {prompts > 0 ? <Heading /> : null}
            <Empty title="No frame has been rendered yet">
              <p>
                Write a goal above and render it. The frame holds the right slice of memory within the budget,
                and its receipt says why every fact is there.
              </p>
            </Empty>
          </>
        ) : (
          <>
            {comparing ? <Choosing first={comparing} /> : <Heading />}
            <VirtualList
              label="Earlier receipts"
              rows={comparing ? comparable(list, comparing) : list}
              rowKey={(line) => line.id}
              estimate={() => 60}
              render={(line) => <ReceiptRow line={line} exact={twins.has(line.id)} />}
            />
          </>
        )
      }
    </Loaded>
  )
}

/** What can stand beside this one, frames beside frames and traces beside traces: the same goal first, then the newest. */
function comparable(list: readonly ReceiptLine[], first: Receipt): ReceiptLine[] {
  const traced = hasTrace(first)
  const frames = list.filter(
    (line) => line.id !== first.id && (traced ? isTraced(line) : line.kind === 'hydrate' && !isTraced(line)),
  )
  const same = (line: ReceiptLine): number => (line.goal === first.goal ? 0 : 1)
  return frames.sort((a, b) => same(a) - same(b) || b.createdAt - a.createdAt)
}

function Choosing({ first }: { first: Receipt }) {
  const { openReceipt } = useReceipts.getState()
  useKeys({ Escape: () => void openReceipt(first.id) })
  return (
    <div className="list-title row">
      <h2 className="clip">Compare with: {first.goal}</h2>
      <span className="sub nowrap">choose a receipt below</span>
      <span className="grow" />
      <Button onClick={() => void openReceipt(first.id)}>Cancel</Button>
    </div>
  )
}

function kindOf({ kind, plane }: ReceiptLine): string {
  if (plane.startsWith('turn:')) return `an agent’s turn, ${plane.slice('turn:'.length)}`
  if (kind === 'hydrate') return plane
  return kind === 'prediction' ? `prediction, ${plane}` : kind
}

/** A search shows without spending anything. */
const tokensOf = ({ spent, budget }: ReceiptLine): string[] =>
  budget > 0 ? [`${count(spent)} of ${count(budget)} tokens`] : []

function ReceiptRow({ line, exact }: { line: ReceiptLine; exact: boolean }) {
  const now = useNow()
  const choose = (): void => {
    const { comparing, compareWith, openReceipt } = useReceipts.getState()
    void (comparing ? compareWith(line) : openReceipt(line.id))
  }
  return (
    <button type="button" className="receipt-row" onClick={choose}>
      <b className="clip">{line.goal}</b>
      <span className="row sub">
        <Tag tone={pathTone(line.path)}>{line.path}</Tag>
        <span className="clip">
          {[kindOf(line), plural(line.facts, 'fact'), ...tokensOf(line)].join(' · ')}
        </span>
        <span className="grow" />
        <span>{(exact ? dateTimeExact : dateTime)(line.createdAt, now)}</span>
      </span>
    </button>
  )
}
