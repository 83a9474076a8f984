import { type BoardClass, boardClassOf, type Operator } from './operator.ts'

/** Parts of rows, lists and widgets that not every class sees. */
export const FIELD_GROUPS = ['guest', 'code', 'money', 'keys', 'tasks'] as const
export type FieldGroup = (typeof FIELD_GROUPS)[number]

interface FieldRule {
  readonly classes: readonly BoardClass[]
  /** For the documentation. */
  readonly fields: string
}

/** Who sees which fields: used by boards, the offline pack and the dashboard. */
export const FIELD_TABLE: Readonly<Record<FieldGroup, FieldRule>> = {
  guest: { classes: ['desk', 'mgmt'], fields: 'name, phone, language and requests of a guest' },
  code: { classes: ['desk', 'mgmt'], fields: 'the reservation code' },
  money: { classes: ['desk', 'mgmt'], fields: 'folio, balance, balances due and rates' },
  keys: { classes: ['desk', 'mgmt'], fields: 'state and ids of room keys' },
  tasks: { classes: ['desk', 'hk', 'mgmt'], fields: 'task and next arrival of a room' },
}

export function seesFields(group: FieldGroup, viewer: Pick<Operator, 'roles'>): boolean {
  return FIELD_TABLE[group].classes.includes(boardClassOf(viewer))
}
