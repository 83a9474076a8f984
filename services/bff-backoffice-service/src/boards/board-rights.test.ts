import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { FIELD_GROUPS, seesFields } from '../access/field-table.ts'
import { OPERATOR_ROLES, type OperatorRole } from '../access/operator.ts'
import { isAllowed, ROLE_TABLE } from '../access/role-table.ts'
import { BOARDS, type BoardName } from './board-key.ts'
import { rightsOn } from './board-rights.ts'

/** Every set of roles, as lead and not. */
const VIEWERS = Array.from({ length: 2 ** OPERATOR_ROLES.length }, (_, bits) =>
  OPERATOR_ROLES.filter((_role, at) => (bits & (1 << at)) !== 0),
)
  .filter((roles) => roles.length > 0)
  .flatMap((roles) => [true, false].map((isLead) => ({ roles, isLead, operatorId: newId('opr') })))

type Viewer = (typeof VIEWERS)[number]
/** By group and by operation; null: not part of the key. */
type Granted = readonly (readonly (boolean | null)[])[]

/** What rows can depend on: the rights that can be asked for on this board, and the reporter. */
function grantsOf(board: BoardName, viewer: Viewer): string {
  const rights = rightsOn(board, viewer)
  const isKnown = (ask: () => boolean) => {
    try {
      return ask()
    } catch (error) {
      if (error instanceof TypeError) return null
      throw error
    }
  }
  const fields = FIELD_GROUPS.map((group) => isKnown(() => rights.sees(group)))
  const operations = Object.keys(ROLE_TABLE).map((name) => isKnown(() => rights.may(name)))
  return JSON.stringify([fields, operations, rights.onlyReportedBy])
}

const of = (role: OperatorRole, isLead = false) => ({
  roles: [role],
  isLead,
  operatorId: newId('opr'),
})

describe('the rights on a board', () => {
  it.each(BOARDS)('%s: readers with the same audience have the same rights', (board) => {
    const byAudience = Map.groupBy(VIEWERS, (viewer) => rightsOn(board, viewer).audience)
    for (const [audience, viewers] of byAudience) {
      const grants = new Set(viewers.map((viewer) => grantsOf(board, viewer)))
      expect([audience, grants.size]).toEqual([audience, 1])
    }
    // Control: not everybody is the same audience.
    expect(byAudience.size).toBeGreaterThan(1)
  })

  it.each(BOARDS)('%s: are those of the role tables', (board) => {
    const differing = VIEWERS.filter((viewer) => {
      const [fields = [], operations = []] = JSON.parse(grantsOf(board, viewer)) as Granted
      const isSame = (granted: boolean | null | undefined, expected: boolean) =>
        granted === null || granted === expected
      return !(
        FIELD_GROUPS.every((group, at) => isSame(fields[at], seesFields(group, viewer))) &&
        Object.keys(ROLE_TABLE).every((name, at) => isSame(operations[at], isAllowed(name, viewer)))
      )
    })
    expect(differing).toEqual([])
  })

  it('are shared by roles that see and may do the same', () => {
    const audience = (board: BoardName, role: OperatorRole, isLead = false) =>
      rightsOn(board, of(role, isLead)).audience
    expect(audience('arrivals', 'front_desk')).toBe(audience('arrivals', 'general_manager'))
    expect(audience('today', 'owner')).toBe(audience('today', 'general_manager'))
    expect(audience('housekeeping', 'housekeeping', true)).toBe(
      audience('housekeeping', 'general_manager'),
    )
    expect(audience('housekeeping', 'housekeeping')).not.toBe(
      audience('housekeeping', 'housekeeping', true),
    )
    expect(audience('arrivals', 'housekeeping')).not.toBe(audience('arrivals', 'front_desk'))
  })

  it('show housekeeping its own reports: there every operator is an audience', () => {
    const [first, second] = [of('housekeeping'), of('housekeeping')]
    expect(rightsOn('maintenance', first).onlyReportedBy).toBe(first.operatorId)
    expect(rightsOn('maintenance', first).audience).not.toBe(
      rightsOn('maintenance', second).audience,
    )
    expect(rightsOn('maintenance', of('maintenance')).onlyReportedBy).toBe(null)
  })

  it('do not contain what the key of the board does not contain', () => {
    const rights = rightsOn('maintenance', of('general_manager'))
    expect(() => rights.sees('guest')).toThrow(TypeError)
    expect(() => rights.may('staff.lock.issue')).toThrow(TypeError)
  })
})
