import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import {
  type Cache,
  type CachedBytes,
  type DefinedCache,
  memoizeDecoded,
} from '@melmastoon/chassis/cache'
import {
  addDays,
  fieldError,
  type IsoDate,
  type PropertyId,
  throwIfInvalid,
} from '@melmastoon/domain'
import { equalText, type KeyRing } from '@melmastoon/security'
import type { Operator } from '../access/operator.ts'
import { type HotelDayDeps, peekHotelDay, readHotelDay } from '../properties/read-hotel-day.ts'
import { type BoardContent, changesSince, type StoredBoard, toContent } from './board-content.ts'
import { invalidCursor, readBoardCursor, writeBoardCursor } from './board-cursor.ts'
import { type BoardKey, type BoardName, boardTags, rolesOf } from './board-key.ts'
import { rightsOn } from './board-rights.ts'
import type { BoardVersions } from './board-versions.ts'
import { type ComposeDeps, composeBoard } from './compose-board.ts'
import type { ReadMetrics } from './read-metrics.ts'
import { sharedRead } from './shared-read.ts'

export type BoardCache = DefinedCache<'tenantId' | 'propertyId' | 'board' | 'date' | 'audience'>

export interface BoardDeps extends ComposeDeps, HotelDayDeps {
  readonly upstreams: ComposeDeps['upstreams'] & HotelDayDeps['upstreams']
  readonly boards: BoardCache
  readonly boardVersions: BoardVersions
  readonly cursorKeys: KeyRing
  readonly readMetrics: ReadMetrics
}

/** The lifetime of the key schema (§3.2). */
const FRESH_MS = 15_000
/** A board with missing parts is composed again soon. */
const DEGRADED_MS = 2_000

/** Days before and after today that a board can be read for: they are part of the cache key. */
const DAYS_BACK = 31
const DAYS_AHEAD = 92

export function defineBoards(cache: Cache, loadTimeoutMs: number): BoardCache {
  return cache.define({
    name: 'board',
    dimensions: ['tenantId', 'propertyId', 'board', 'date', 'audience'],
    softTtlMs: FRESH_MS,
    // Its lists are retained longer; a board of old lists says so.
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 0,
    jitter: 0,
    loadTimeoutMs,
    isSent: false,
  })
}

export interface BoardRequest {
  readonly operator: Operator
  readonly propertyId: PropertyId
  readonly board: BoardName
  /** Of arrivals, departures and guests in house; the business date of the hotel by default. */
  readonly date?: IsoDate | undefined
  readonly since?: string | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

/** The JSON of a board: all rows, a page, or what changed since the cursor (B3). */
export async function readBoard(
  deps: BoardDeps,
  request: BoardRequest,
  call: UpstreamCall,
): Promise<string> {
  const { key: found, content, entry } = await readContent(deps, request, call)
  const key = { ...found, roles: rolesOf(request.operator) }
  deps.readMetrics.onRead('board', entry.state !== 'hit' && content.isLive)
  const rows = await chooseRows(deps, request, { key, content })
  const position = { date: key.date, version: rows.version }
  const isCurrent = rows.version === content.version
  const { businessDate, asOf, degraded, isStale } = content
  const head = JSON.stringify({ board: key.board, propertyId: key.propertyId, businessDate, asOf })
  const rest = JSON.stringify({
    ageMs: Math.max(0, deps.clock.nowMs() - Date.parse(asOf)),
    source: isStale ? 'stale' : entry.state === 'hit' ? 'cache' : 'live',
    page: {
      total: content.rows.size,
      nextCursor:
        rows.lastId === null
          ? null
          : writeBoardCursor(deps.cursorKeys, key, { ...position, after: rows.lastId }),
    },
    delta: {
      cursor: isCurrent
        ? changesCursor(deps, { key, content })
        : writeBoardCursor(deps.cursorKeys, key, { ...position, after: null }),
      full: rows.full,
      removed: rows.removed,
    },
    degraded,
  })
  return `${head.slice(0, -1)},"rows":[${rows.texts.join(',')}],${rest.slice(1)}`
}

interface FoundBoard {
  readonly key: BoardKey
  readonly content: BoardContent
  readonly entry: CachedBytes
}

/** What a page or delta is chosen from, and what its cursor is bound to. */
interface BoundBoard extends Pick<FoundBoard, 'content'> {
  readonly key: BoardKey & { readonly roles: string }
}

const cursors = new WeakMap<BoardContent, Map<string, string>>()

/** For the changes after this content; signed once for all readers with the same roles. */
function changesCursor(
  { cursorKeys }: Pick<BoardDeps, 'cursorKeys'>,
  { key, content }: BoundBoard,
): string {
  const known = cursors.get(content) ?? new Map<string, string>()
  cursors.set(content, known)
  const position = { date: key.date, version: content.version, after: null }
  const cursor = known.get(key.roles) ?? writeBoardCursor(cursorKeys, key, position)
  known.set(key.roles, cursor)
  return cursor
}

/** Parsed once per process and version, whatever the number of requests. */
const contentOf = memoizeDecoded((body) => toContent(JSON.parse(body.toString()) as StoredBoard))
const remembered = new WeakSet<BoardContent>()

/** The rows that the operator sees. Also for the pack that devices keep. */
export async function readContent(
  deps: BoardDeps,
  { operator, propertyId, board, date }: BoardRequest,
  call: UpstreamCall,
): Promise<FoundBoard> {
  const { tenantId } = operator
  const hotel = { tenantId, propertyId }
  const day = peekHotelDay(deps, hotel) ?? (await readHotelDay(deps, hotel, call))
  const rights = rightsOn(board, operator)
  const { audience } = rights
  const key = { tenantId, propertyId, board, date: requireDate(date, day.today), audience }
  const wanted = { ...key, checkOutTime: day.checkOutTime, rights }
  const address = { dims: { ...key }, tags: boardTags(key) }
  const entry =
    deps.boards.peek(address.dims, address.tags) ??
    (await sharedRead(deps.boards, {
      ...address,
      deadline: call.deadline,
      load: async (loadDeadline) => {
        const { trace } = call
        const stored = await composeBoard(deps, wanted, { deadline: loadDeadline, trace })
        const isWhole = stored.degraded.length === 0 && !stored.isStale
        const body = JSON.stringify(stored)
        return isWhole ? { body } : { body, freshForMs: DEGRADED_MS }
      },
    }))
  const content = contentOf(entry.body)
  if (!remembered.has(content)) {
    remembered.add(content)
    await deps.boardVersions.remember(key, content)
  }
  return { key, content, entry }
}

/** @throws Problem VALIDATION_FAILED */
function requireDate(date: IsoDate | undefined, today: IsoDate): IsoDate {
  if (date === undefined) return today
  const isInRange = date >= addDays(today, -DAYS_BACK) && date <= addDays(today, DAYS_AHEAD)
  const detail = `must be at most ${DAYS_BACK} days ago and at most ${DAYS_AHEAD} days ahead`
  throwIfInvalid(isInRange ? [] : [fieldError('/query/date', 'range', detail)])
  return date
}

interface ChosenRows {
  readonly texts: readonly string[]
  readonly removed: readonly string[]
  readonly full: boolean
  /** Of the first page: changes since then may have been on a page that was read before them. */
  readonly version: string
  /** Null on the last page. */
  readonly lastId: string | null
}

async function chooseRows(
  deps: BoardDeps,
  { since, cursor, limit }: BoardRequest,
  { key, content }: BoundBoard,
): Promise<ChosenRows> {
  if (since === undefined) return pageOf(deps, { cursor, limit }, { key, content })
  if (equalText(since, changesCursor(deps, { key, content }))) return unchanged(content)
  const { date, version, after } = readBoardCursor(deps.cursorKeys, key, since)
  // A cursor of a page: the client does not have the pages after it.
  if (after !== null) throw invalidCursor()
  const known = date === key.date ? await deps.boardVersions.find(key, version) : undefined
  if (known === undefined) return pageOf(deps, { cursor: undefined, limit }, { key, content })
  const { changed, removed } = changesSince(content, known)
  return { texts: changed, removed, full: false, version: content.version, lastId: null }
}

/** The device has this content: its cursor is the one that it would receive now. */
function unchanged({ version }: BoardContent): ChosenRows {
  return { texts: [], removed: [], full: false, version, lastId: null }
}

function pageOf(
  { cursorKeys }: Pick<BoardDeps, 'cursorKeys'>,
  { cursor, limit }: Pick<BoardRequest, 'cursor' | 'limit'>,
  { key, content }: BoundBoard,
): ChosenRows {
  const rows = [...content.rows]
  const position = cursor === undefined ? undefined : readBoardCursor(cursorKeys, key, cursor)
  const start = position === undefined ? 0 : startAfter(rows, position)
  const page = rows.slice(start, start + limit)
  const isLast = start + limit >= rows.length
  return {
    texts: page.map(([, text]) => text),
    removed: [],
    full: true,
    version: position?.version ?? content.version,
    lastId: isLast ? null : (page.at(-1)?.[0] ?? null),
  }
}

/** The row after which a page begins may have left the board: then the client starts again. */
function startAfter(
  rows: readonly (readonly [string, string])[],
  { after }: { readonly after: string | null },
): number {
  const at = rows.findIndex(([id]) => id === after)
  if (at === -1) throw invalidCursor()
  return at + 1
}
