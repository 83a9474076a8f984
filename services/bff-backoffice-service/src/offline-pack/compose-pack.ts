import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { addDays, type IsoDate, type PropertyId } from '@melmastoon/domain'
import type { KeyCredential } from '@melmastoon/upstream-contracts/lock'
import type { Operator } from '../access/operator.ts'
import { isAllowed } from '../access/role-table.ts'
import type { BoardName } from '../boards/board-key.ts'
import { readKeys } from '../boards/board-sources.ts'
import { type BoardDeps, readContent } from '../boards/read-board.ts'
import { readHotelDay } from '../properties/read-hotel-day.ts'

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
  /** The names of lists that could not be read. */
  readonly missing: readonly string[]
}

export interface PackDeps extends BoardDeps {
  readonly onError: (error: unknown) => void
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
  deps: PackDeps,
  request: PackRequest,
  call: UpstreamCall,
): Promise<PackContent> {
  const { tenantId } = request.operator
  const { propertyId } = request
  const { today: businessDate } = await readHotelDay(deps, { tenantId, propertyId }, call)
  const boards = boardsFor(request, businessDate).map((wanted) => ({
    name: nameOf(wanted),
    part: readPart(deps, { ...request, wanted }, call),
  }))
  const read = [...boards, ...keysFor(deps, request, call)]
  const settled = await Promise.allSettled(read.map(({ part }) => part))
  const found = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const failed = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  for (const reason of failed) deps.onError(reason)
  // A device keeps the pack that it has.
  if (found.length === 0) throw failed[0]
  return {
    businessDate,
    parts: found.map(({ part }) => part),
    degraded: [...new Set(found.flatMap(({ degraded }) => degraded))],
    missing: read.flatMap(({ name }, at) => (settled[at]?.status === 'rejected' ? [name] : [])),
  }
}

function boardsFor({ operator }: PackRequest, businessDate: IsoDate): WantedPart[] {
  const isSeen = (board: PackBoard) => isAllowed(OPERATIONS[board], operator)
  const dates = Array.from({ length: DAYS }, (_, day) => addDays(businessDate, day))
  return [
    { board: 'housekeeping' },
    ...(['in_house', 'maintenance'] as const).filter(isSeen).map((board) => ({ board })),
    ...dates.flatMap((date) =>
      (['arrivals', 'departures'] as const).filter(isSeen).map((board) => ({ board, date })),
    ),
  ]
}

const nameOf = ({ board, date }: WantedPart) => (date === undefined ? board : `${board}:${date}`)

interface WantedPart {
  readonly board: PackBoard
  readonly date?: IsoDate
}

interface ReadPart {
  readonly part: PackPart
  readonly degraded: readonly string[]
}

async function readPart(
  deps: BoardDeps,
  { operator, propertyId, wanted }: PackRequest & { readonly wanted: WantedPart },
  call: UpstreamCall,
): Promise<ReadPart> {
  const { board, date } = wanted
  const request = { operator, propertyId, board, date, limit: 0 }
  const { degraded, rows } = (await readContent(deps, request, call)).content
  return { degraded, part: { name: nameOf(wanted), json: `[${[...rows.values()].join(',')}]` } }
}

/** Never a PIN. */
function keysFor(
  deps: BoardDeps,
  { operator, propertyId }: PackRequest,
  call: UpstreamCall,
): { readonly name: string; readonly part: Promise<ReadPart> }[] {
  if (!isAllowed('staff.lock.revoke', operator)) return []
  const { tenantId } = operator
  const name = 'keys'
  const read = async () => {
    const { items } = await readKeys(deps, { tenantId, propertyId }, call)
    return { degraded: [], part: { name, json: JSON.stringify(items.map(describeKey)) } }
  }
  return [{ name, part: read() }]
}

function describeKey({ keyId, reservationId, rooms, kind, ...key }: KeyCredential) {
  const { state, validFrom, validUntil, version } = key
  return { keyId, reservationId, rooms, kind, state, validFrom, validUntil, version }
}
