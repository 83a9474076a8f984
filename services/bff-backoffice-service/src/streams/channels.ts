import {
  type BoardClass,
  boardClassOf,
  type GrantedScope,
  mayUseProperty,
} from '../access/operator.ts'
import { isAllowed } from '../access/role-table.ts'
import type { StreamEvent } from './stream-event.ts'

/** Names of events; each has the operation that a role needs in order to receive them. */
const OPERATIONS = {
  arrivals: 'staff.board.arrivals',
  departures: 'staff.board.departures',
  in_house: 'staff.board.in-house',
  housekeeping: 'staff.board.housekeeping',
  maintenance: 'staff.board.maintenance',
  alerts: 'staff.alert.list',
  ai: 'staff.suggestion.list',
  devices: 'staff.device.list',
  locks: 'staff.lock.action-get',
  sync: 'staff.sync.cursor-get',
  session: 'staff.session.get',
} as const

export type Channel = keyof typeof OPERATIONS

export const CHANNELS = Object.keys(OPERATIONS) as readonly Channel[]

/** What an operator may receive now. */
export interface Viewer {
  readonly operatorId: GrantedScope['operatorId']
  readonly properties: GrantedScope['properties']
  /** One per role: an operator with two roles receives the events of both. */
  readonly classes: ReadonlySet<BoardClass>
  readonly channels: ReadonlySet<Channel>
}

type SeenByRoles = Pick<Viewer, 'classes' | 'channels'>

/** Sets of roles are few: all streams of operators with the same roles share theirs. */
const seenByRoles = new Map<string, SeenByRoles>()

function seenBy(scope: GrantedScope): SeenByRoles {
  const { roles, isLead } = scope
  const name = `${isLead} ${roles.join(' ')}`
  const seen = seenByRoles.get(name) ?? {
    classes: new Set(roles.map((role) => boardClassOf({ roles: [role] }))),
    channels: new Set(CHANNELS.filter((channel) => isAllowed(OPERATIONS[channel], scope))),
  }
  seenByRoles.set(name, seen)
  return seen
}

const viewers = new WeakMap<GrantedScope, Viewer>()

/** The same object for the same scope: streams of one token share it. */
export function viewerOf(scope: GrantedScope): Viewer {
  const known = viewers.get(scope)
  if (known !== undefined) return known
  const { operatorId, properties } = scope
  const viewer = { operatorId, properties, ...seenBy(scope) }
  viewers.set(scope, viewer)
  return viewer
}

/** Tenant and session are those of the stream; everything else is checked here for each event. */
export function mayReceive(viewer: Viewer, event: StreamEvent): boolean {
  const { channel, propertyId, classes, operatorId } = event
  if (!viewer.channels.has(channel)) return false
  if (propertyId !== null && !mayUseProperty(viewer, propertyId)) return false
  if (operatorId !== undefined && operatorId !== viewer.operatorId) return false
  return classes === undefined || classes.some((name) => viewer.classes.has(name))
}
