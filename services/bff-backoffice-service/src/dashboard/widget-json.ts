import { type CachedBytes, memoizeDecoded } from '@melmastoon/chassis/cache'
import { WIDGET_SOURCES, type WidgetName } from './widget.ts'
import type { WidgetReading } from './widget-reading.ts'

export interface WidgetJson {
  readonly text: string
  /** It has data, or the role does not see it. */
  readonly hasData: boolean
  /** The data is also up to date. */
  readonly isComplete: boolean
}

const textOf = memoizeDecoded((bytes) => bytes.toString(), 1)

interface EntryTime {
  readonly asOfMs: number
  readonly asOf: string
}

/** The same in every response with this entry. */
const times = new WeakMap<Buffer, EntryTime>()

/** The data of an entry with its age now. */
export function describeEntry(id: WidgetName, entry: CachedBytes, nowMs: number): WidgetJson {
  const { asOfMs, asOf } = timeOf(entry, nowMs)
  const source = sourceOf(entry)
  const status = source === 'stale' ? 'stale' : 'ok'
  const ageMs = Math.max(0, Math.round(nowMs - asOfMs))
  // Names and times need no escaping, and the data is valid JSON already.
  const head = `{"id":"${id}","status":"${status}","asOf":"${asOf}","ageMs":${ageMs}`
  const origin = `"source":"${source}","upstream":"${WIDGET_SOURCES[id].upstream}"`
  return {
    text: `${head},${origin},"problem":null,"data":${textOf(entry.body)}}`,
    hasData: true,
    isComplete: source !== 'stale',
  }
}

function timeOf({ body, facts, ageMs }: CachedBytes, nowMs: number): EntryTime {
  const known = times.get(body)
  if (known !== undefined) return known
  const asOfMs = Number(facts['asOfMs'] ?? nowMs - ageMs)
  const time = { asOfMs, asOf: new Date(asOfMs).toISOString() }
  times.set(body, time)
  return time
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
