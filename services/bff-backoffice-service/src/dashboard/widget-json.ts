import type { CachedBytes } from '@melmastoon/chassis/cache'
import { WIDGET_SOURCES, type WidgetName } from './widget.ts'
import type { WidgetReading } from './widget-reading.ts'

export interface WidgetJson {
  readonly text: string
  /** It has data, or the role does not see it. */
  readonly hasData: boolean
  /** The data is also up to date. */
  readonly isComplete: boolean
}

/** Decoded once for each entry of this process. */
interface Decoded {
  readonly data: string
  readonly asOfMs: number
  readonly asOf: string
}

const decoded = new WeakMap<Buffer, Decoded>()

/** The data of an entry with its age now. */
export function describeEntry(id: WidgetName, entry: CachedBytes, nowMs: number): WidgetJson {
  const { data, asOfMs, asOf } = decode(entry, nowMs)
  const source = sourceOf(entry)
  const status = source === 'stale' ? 'stale' : 'ok'
  const ageMs = Math.max(0, Math.round(nowMs - asOfMs))
  // Names and times need no escaping, and the data is valid JSON already.
  const head = `{"id":"${id}","status":"${status}","asOf":"${asOf}","ageMs":${ageMs}`
  const origin = `"source":"${source}","upstream":"${WIDGET_SOURCES[id].upstream}"`
  return {
    text: `${head},${origin},"problem":null,"data":${data}}`,
    hasData: true,
    isComplete: source !== 'stale',
  }
}

function decode({ body, facts, ageMs }: CachedBytes, nowMs: number): Decoded {
  const known = decoded.get(body)
  if (known !== undefined) return known
  const asOfMs = Number(facts['asOfMs'] ?? nowMs - ageMs)
  const made = { data: body.toString(), asOfMs, asOf: new Date(asOfMs).toISOString() }
  decoded.set(body, made)
  return made
}

/** That of the oldest: the entry, or a list that its data was made of. */
function sourceOf({ state, facts }: CachedBytes): WidgetReading['source'] {
  if (state === 'stale' || facts['source'] === 'stale') return 'stale'
  return state === 'hit' || facts['source'] === 'cache' ? 'cache' : 'live'
}

export function withoutData(
  id: WidgetName,
  status: 'hidden' | 'late' | 'failed',
  code: string | null,
): WidgetJson {
  const { upstream } = WIDGET_SOURCES[id]
  const problem = code === null ? null : { code }
  const nothing = { asOf: null, ageMs: null, source: 'none', data: null }
  const text = JSON.stringify({ id, status, upstream, problem, ...nothing })
  const isHidden = status === 'hidden'
  return { text, hasData: isHidden, isComplete: isHidden }
}
