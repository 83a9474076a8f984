import type { OperatorId } from '@melmastoon/domain'
import { type FieldGroup, seesFields } from '../access/field-table.ts'
import { boardClassOf, type Operator } from '../access/operator.ts'
import { isAllowed } from '../access/role-table.ts'
import type { BoardName } from './board-key.ts'

/** What a reader sees on a board and may do with its rows. Rows depend on nothing else of them. */
export interface BoardRights {
  /** Part of the cache key: readers with the same audience receive the same rows. */
  readonly audience: string
  /** Only the reports of this operator are shown. */
  readonly onlyReportedBy: OperatorId | null
  /** @throws TypeError for a group that the audience of this board does not contain */
  readonly sees: (group: FieldGroup) => boolean
  /** @throws TypeError for an operation that the audience of this board does not contain */
  readonly may: (operation: string) => boolean
}

interface Dependencies {
  readonly fields: readonly FieldGroup[]
  readonly operations: readonly string[]
}

const STAYS: Dependencies = {
  fields: ['guest', 'code', 'money', 'keys'],
  operations: [
    'staff.reservation.check-in',
    'staff.reservation.check-out',
    'staff.lock.issue',
    'staff.lock.revoke',
    'staff.folio.charge',
  ],
}

/** The rows of the role tables that the rows of a board depend on. */
const DEPENDENCIES: Readonly<Record<BoardName, Dependencies>> = {
  today: {
    fields: ['money'],
    operations: [
      'staff.board.arrivals',
      'staff.board.departures',
      'staff.board.in-house',
      'staff.board.housekeeping',
      'staff.board.maintenance',
    ],
  },
  arrivals: STAYS,
  departures: STAYS,
  in_house: STAYS,
  housekeeping: {
    fields: ['tasks'],
    operations: ['staff.task.start', 'staff.task.complete', 'staff.task.inspect'],
  },
  maintenance: {
    fields: [],
    operations: ['staff.work-order.assign', 'staff.work-order.resolve', 'staff.work-order.verify'],
  },
}

/** Roles, leads and boards are few: their rights are looked up once. */
const known = new Map<string, BoardRights>()

/** Housekeeping sees its own reports on the maintenance board: there everybody is an audience. */
export function rightsOn(
  board: BoardName,
  viewer: Pick<Operator, 'roles' | 'isLead' | 'operatorId'>,
): BoardRights {
  const name = `${board} ${viewer.isLead} ${viewer.roles.join(' ')}`
  const rights = known.get(name) ?? createRights(DEPENDENCIES[board], viewer)
  known.set(name, rights)
  if (board !== 'maintenance' || boardClassOf(viewer) !== 'hk') return rights
  const onlyReportedBy = viewer.operatorId
  return { ...rights, audience: `${rights.audience} ${onlyReportedBy}`, onlyReportedBy }
}

function createRights(
  { fields, operations }: Dependencies,
  viewer: Pick<Operator, 'roles' | 'isLead'>,
): BoardRights {
  const seen = new Map(fields.map((group) => [group, seesFields(group, viewer)]))
  const allowed = new Map(operations.map((name) => [name, isAllowed(name, viewer)]))
  const held = [...seen, ...allowed].filter(([, isHeld]) => isHeld).map(([name]) => name)
  return {
    audience: held.join('+'),
    onlyReportedBy: null,
    sees: (group) => lookUp(seen, group),
    may: (operation) => lookUp(allowed, operation),
  }
}

/** A row that depended on anything else would be served to readers who must not see it. */
function lookUp<N extends string>(rights: ReadonlyMap<N, boolean>, name: N): boolean {
  const isHeld = rights.get(name)
  if (isHeld === undefined) throw new TypeError(`the key of the board does not contain ${name}`)
  return isHeld
}
