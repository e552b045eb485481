import type { Handle } from '../../shared/domain'
import { type Bid, isVisualTask, NO_SCENE, type SceneState, sceneGate } from '../faculty'
import { ImageData } from '../journal'
import type { Count } from '../proxy'
import type { traceSql } from '../store'

const MENTION = /\b(?:screenshots?|pictures?|images?|photos?|mock-?ups?|diagrams?)\b/i

/**
 * Pictures of the session as bids, oldest first. With the gate on only the asked-for, the first and the changed speak;
 * the others say why they do not, for the trace.
 */
export function sceneBids(
  pictures: readonly traceSql.PictureItem[],
  stimulus: string,
  { gated, count }: { gated: boolean; count: Count },
): Bid[] {
  const asked = MENTION.test(stimulus.slice(0, 2000))
  const visualTask = isVisualTask(stimulus)
  let state: SceneState = NO_SCENE
  return pictures.flatMap((item, i) => {
    const parsed = ImageData.safeParse(JSON.parse(item.data))
    if (!parsed.success) return []
    const { phash, sha256, mediaType, width, height } = parsed.data
    // Without a look the bytes stand for it: the same file is the same picture, any other is a new one.
    const hash = BigInt(`0x${phash ?? sha256.slice(0, 16)}`)
    // Who mentions a picture means the newest.
    const mentioned = asked && i === pictures.length - 1
    const verdict = sceneGate(state, hash, { mentioned, visualTask })
    state = verdict.state
    const size = width && height ? `, ${width} × ${height}` : ''
    const text = `A picture was shown in the session (${mediaType}${size}).`
    const bid: Bid = {
      id: `scene:${item.handle}`,
      source: 'visual-scene',
      title: `A picture (${mediaType}${size})`,
      order: item.position,
      rank: -item.position,
      at: item.ts,
      terms: {
        relevance: mentioned ? 1 : visualTask ? 0.6 : 0.1,
        importance: 0.2,
        surprise: verdict.why === 'changed' || verdict.why === 'first' ? 0.5 : 0,
      },
      rungs: [{ level: 'L0', tokens: count(text), render: text }],
      handles: [item.handle as Handle],
      ...(gated && !verdict.speaks
        ? { withheld: { reason: 'scene' as const, detail: `${verdict.distance} of 64 bits differ` } }
        : {}),
    }
    return [bid]
  })
}
