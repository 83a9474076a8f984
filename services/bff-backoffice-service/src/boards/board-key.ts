import type { IsoDate, PropertyId, TenantId } from '@melmastoon/domain'
import type { Operator } from '../access/operator.ts'

export const BOARDS = [
  'today',
  'arrivals',
  'departures',
  'in_house',
  'housekeeping',
  'maintenance',
] as const

export type BoardName = (typeof BOARDS)[number]

/** The boards of a chosen day; the others show what is now. */
export const DATED_BOARDS = ['arrivals', 'departures', 'in_house'] as const
export type DatedBoard = (typeof DATED_BOARDS)[number]

/** The lists of upstreams that boards are composed of. */
export const BOARD_SOURCES = ['stays', 'rooms', 'work-orders', 'folios', 'keys'] as const
export type BoardSource = (typeof BOARD_SOURCES)[number]

/** Which boards change with a list; `today` counts all of them. */
export const BOARDS_OF_SOURCE = {
  stays: ['today', 'arrivals', 'departures', 'in_house', 'housekeeping'],
  rooms: ['today', 'arrivals', 'departures', 'in_house', 'housekeeping'],
  'work-orders': ['today', 'maintenance'],
  folios: ['today', 'arrivals', 'departures', 'in_house'],
  keys: ['arrivals', 'departures'],
} as const satisfies Record<BoardSource, readonly BoardName[]>

/** Everything that the content of a board depends on. */
export interface BoardKey {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly board: BoardName
  readonly date: IsoDate
  /** Of `rightsOn`. */
  readonly audience: string
}

/** Invalidates the boards of one property that show the list. */
export function sourceTag(
  { tenantId, propertyId }: Pick<BoardKey, 'tenantId' | 'propertyId'>,
  source: BoardSource,
): string {
  return `${source}:${tenantId}:${propertyId}`
}

export function boardTags(key: Pick<BoardKey, 'tenantId' | 'propertyId' | 'board'>): string[] {
  return BOARD_SOURCES.filter((source) =>
    (BOARDS_OF_SOURCE[source] as readonly BoardName[]).includes(key.board),
  ).map((source) => sourceTag(key, source))
}

/** Cursors are bound to the roles of their operator, also where other roles see the same rows. */
export function rolesOf({ roles, isLead }: Pick<Operator, 'roles' | 'isLead'>): string {
  const names = roles.toSorted().join('+')
  return isLead ? `${names}:lead` : names
}
