import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { addDays, type IsoDate, type PropertyId } from '@melmastoon/domain'
import type { KeyCredential } from '@melmastoon/upstream-contracts/lock'
import type { Operator } from '../access/operator.ts'
import { isAllowed } from '../access/role-table.ts'
import type { BoardName } from '../boards/board-key.ts'
import { readKeys } from '../boards/board-sources.ts'
import { type BoardDeps, readContent } from '../boards/read-board.ts'

export interface PackRequest {
  readonly operator: Operator
  readonly propertyId: PropertyId
}

/** One list of the pack, as JSON. */
export interface PackPart {
  readonly name: string
  readonly json: string
}

export interface PackContent {
  readonly businessDate: IsoDate
  /** The most important first. */
  readonly parts: readonly PackPart[]
  /** Upstreams that did not respond: their fields are missing. */
  readonly degraded: readonly string[]
}

const DAYS = 3

const OPERATIONS = {
  in_house: 'staff.board.in-house',
  housekeeping: 'staff.board.housekeeping',
  arrivals: 'staff.board.arrivals',
  departures: 'staff.board.departures',
  maintenance: 'staff.board.maintenance',
} as const satisfies Partial<Record<BoardName, string>>

type PackBoard = keyof typeof OPERATIONS

/** What the operator may see: the same rows as on the boards, without cursors. */
export async function composePack(
  deps: BoardDeps,
  request: PackRequest,
  call: UpstreamCall,
): Promise<PackContent> {
  const { operator } = request
  const isSeen = (board: PackBoard) => isAllowed(OPERATIONS[board], operator)
  const first = await readPart(deps, request, { board: 'housekeeping' }, call)
  const dates = Array.from({ length: DAYS }, (_, day) => addDays(first.businessDate, day))
  const wanted = [
    ...(['in_house', 'maintenance'] as const).filter(isSeen).map((board) => ({ board })),
    ...dates.flatMap((date) =>
      (['arrivals', 'departures'] as const).filter(isSeen).map((board) => ({ board, date })),
    ),
  ]
  const [boards, keys] = await Promise.all([
    Promise.all(wanted.map((each) => readPart(deps, request, each, call))),
    keysFor(deps, request, call),
  ])
  const all = [first, ...boards]
  return {
    businessDate: first.businessDate,
    parts: [...all.map(({ part }) => part), ...keys],
    degraded: [...new Set(all.flatMap(({ degraded }) => degraded))],
  }
}

interface WantedPart {
  readonly board: PackBoard
  readonly date?: IsoDate
}

async function readPart(
  deps: BoardDeps,
  { operator, propertyId }: PackRequest,
  ...[{ board, date }, call]: [wanted: WantedPart, call: UpstreamCall]
) {
  const request = { operator, propertyId, board, date, limit: 0 }
  const { content } = await readContent(deps, request, call)
  const { businessDate, degraded, rows } = content
  const name = date === undefined ? board : `${board}:${date}`
  return { businessDate, degraded, part: { name, json: `[${[...rows.values()].join(',')}]` } }
}

/** Never a PIN. */
async function keysFor(
  deps: BoardDeps,
  { operator, propertyId }: PackRequest,
  call: UpstreamCall,
): Promise<PackPart[]> {
  if (!isAllowed('staff.lock.revoke', operator)) return []
  const { tenantId } = operator
  const { items } = await readKeys(deps, { tenantId, propertyId }, call)
  return [{ name: 'keys', json: JSON.stringify(items.map(describeKey)) }]
}

function describeKey({ keyId, reservationId, rooms, kind, ...key }: KeyCredential) {
  const { state, validFrom, validUntil, version } = key
  return { keyId, reservationId, rooms, kind, state, validFrom, validUntil, version }
}
