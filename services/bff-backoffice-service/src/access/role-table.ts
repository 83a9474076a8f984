import { problem } from '@melmastoon/domain'
import type { Operator, OperatorRole } from './operator.ts'

/**
 * `all`: allowed; `lead`: allowed to leads; `none`: rejected. Which fields or rows a role sees is
 * decided by the feature.
 */
export type Grant = 'all' | 'lead' | 'none'

type Grants = Readonly<Record<OperatorRole, Grant>>

/** In the order of `OPERATOR_ROLES`. */
const grants = (...row: readonly [Grant, Grant, Grant, Grant, Grant]): Grants => {
  const [front_desk, housekeeping, maintenance, general_manager, owner] = row
  return { front_desk, housekeeping, maintenance, general_manager, owner }
}

const EVERY_ROLE = grants('all', 'all', 'all', 'all', 'all')
const STAY_BOARDS = grants('all', 'all', 'none', 'all', 'all')
const DESK_CHANGES = grants('all', 'none', 'none', 'all', 'none')
const TASK_CHANGES = grants('none', 'all', 'none', 'all', 'none')
const MANAGEMENT = grants('none', 'none', 'none', 'all', 'all')

/**
 * Operation → role → grant: the whole of the authorisation by role. The service does not start with
 * a route that has no row here.
 */
export const ROLE_TABLE: Readonly<Record<string, Grants>> = {
  'staff.session.sign-out': EVERY_ROLE,
  'staff.session.get': EVERY_ROLE,
  'staff.mfa.challenge': EVERY_ROLE,
  'staff.mfa.step-up': EVERY_ROLE,
  'staff.key.read': EVERY_ROLE,
  'staff.preferences.get': EVERY_ROLE,
  'staff.preferences.put': EVERY_ROLE,
  'staff.shortcuts.get': EVERY_ROLE,
  'staff.device.heartbeat': EVERY_ROLE,
  'staff.device.list': MANAGEMENT,
  'staff.sync.cursor-get': EVERY_ROLE,
  'staff.sync.cursor-advance': EVERY_ROLE,
  'staff.sync.handshake': EVERY_ROLE,
  'staff.offline.hint': EVERY_ROLE,
  'staff.offline.submit': EVERY_ROLE,
  'staff.offline.verdict': EVERY_ROLE,
  'staff.offline.pack': EVERY_ROLE,
  'staff.stream.open': EVERY_ROLE,
  'staff.stream.poll': EVERY_ROLE,
  'staff.stream.renew': EVERY_ROLE,
  'staff.dashboard.get': EVERY_ROLE,
  'staff.board.today': EVERY_ROLE,
  'staff.board.arrivals': STAY_BOARDS,
  'staff.board.departures': STAY_BOARDS,
  'staff.board.in-house': STAY_BOARDS,
  'staff.board.housekeeping': EVERY_ROLE,
  'staff.board.maintenance': EVERY_ROLE,
  'staff.suggestion.list': grants('all', 'lead', 'lead', 'all', 'all'),
  'staff.suggestion.decide': grants('all', 'lead', 'lead', 'all', 'all'),
  'staff.alert.list': EVERY_ROLE,
  'staff.alert.acknowledge': EVERY_ROLE,
  'staff.lock.issue': DESK_CHANGES,
  'staff.lock.rebind': DESK_CHANGES,
  'staff.lock.extend': DESK_CHANGES,
  'staff.lock.revoke': grants('all', 'none', 'none', 'all', 'all'),
  'staff.lock.action-get': grants('all', 'none', 'none', 'all', 'all'),
  'staff.reservation.check-in': DESK_CHANGES,
  'staff.reservation.check-out': DESK_CHANGES,
  'staff.folio.charge': DESK_CHANGES,
  'staff.task.start': TASK_CHANGES,
  'staff.task.complete': TASK_CHANGES,
  'staff.task.inspect': grants('none', 'lead', 'none', 'all', 'none'),
  'staff.work-order.create': EVERY_ROLE,
  'staff.work-order.assign': grants('none', 'none', 'lead', 'all', 'all'),
  'staff.work-order.resolve': grants('none', 'none', 'all', 'all', 'none'),
  'staff.work-order.verify': MANAGEMENT,
  'staff.activity.list': EVERY_ROLE,
}

/** Operations without an access token: the refresh token is the credential. */
export const WITHOUT_TOKEN: ReadonlySet<string> = new Set(['staff.session.refresh'])

/** Operations that need no credential at all: texts for errors of the sign-in, too. */
export const PUBLIC_OPERATIONS: ReadonlySet<string> = new Set(['staff.message.list'])

export function isAllowed(
  operation: string,
  { roles, isLead }: Pick<Operator, 'roles' | 'isLead'>,
): boolean {
  const grants = ROLE_TABLE[operation]
  if (grants === undefined) return false
  return roles.some((role) => grants[role] === 'all' || (grants[role] === 'lead' && isLead))
}

/** @throws Problem ROLE_FORBIDDEN */
export function requireRole(operation: string, operator: Operator): void {
  if (isAllowed(operation, operator)) return
  throw problem('MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN')
}
