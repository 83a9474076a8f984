/** `mod` is Ctrl, on macOS Command. Keys that browsers and Electron reserve are not used. */
export interface Shortcut {
  readonly action: string
  readonly keys: string
  /** Other keys on macOS, where the default is taken by the system. */
  readonly darwin?: string
  readonly group: 'navigation' | 'desk' | 'rooms' | 'inbox' | 'application'
  /** The operation of the role table that the action calls; absent: the application itself. */
  readonly operation?: string
}

const go = (board: string, key: string, operation: string): Shortcut => ({
  action: `go.${board}`,
  keys: `g ${key}`,
  group: 'navigation',
  operation,
})

/** The keyboard map (B16). Two keys with a space are pressed one after the other. */
export const SHORTCUTS: readonly Shortcut[] = [
  go('dashboard', 'h', 'staff.dashboard.get'),
  go('today', 't', 'staff.board.today'),
  go('arrivals', 'a', 'staff.board.arrivals'),
  go('departures', 'd', 'staff.board.departures'),
  go('in_house', 'i', 'staff.board.in-house'),
  go('housekeeping', 'k', 'staff.board.housekeeping'),
  go('maintenance', 'm', 'staff.board.maintenance'),
  go('alerts', 'l', 'staff.alert.list'),
  go('suggestions', 's', 'staff.suggestion.list'),
  go('devices', 'v', 'staff.device.list'),
  go('activity', 'y', 'staff.activity.list'),
  {
    action: 'reservation.check_in',
    keys: 'mod+shift+i',
    darwin: 'mod+alt+i',
    group: 'desk',
    operation: 'staff.reservation.check-in',
  },
  {
    action: 'reservation.check_out',
    keys: 'mod+shift+o',
    group: 'desk',
    operation: 'staff.reservation.check-out',
  },
  { action: 'folio.charge', keys: 'mod+shift+b', group: 'desk', operation: 'staff.folio.charge' },
  { action: 'key.issue', keys: 'mod+shift+k', group: 'desk', operation: 'staff.lock.issue' },
  { action: 'key.revoke', keys: 'mod+shift+u', group: 'desk', operation: 'staff.lock.revoke' },
  { action: 'task.start', keys: 'alt+1', group: 'rooms', operation: 'staff.task.start' },
  { action: 'task.complete', keys: 'alt+2', group: 'rooms', operation: 'staff.task.complete' },
  { action: 'task.inspect', keys: 'alt+3', group: 'rooms', operation: 'staff.task.inspect' },
  {
    action: 'work_order.create',
    keys: 'alt+n',
    darwin: 'mod+alt+n',
    group: 'rooms',
    operation: 'staff.work-order.create',
  },
  {
    action: 'work_order.resolve',
    keys: 'alt+r',
    darwin: 'mod+alt+r',
    group: 'rooms',
    operation: 'staff.work-order.resolve',
  },
  { action: 'alert.acknowledge', keys: 'x', group: 'inbox', operation: 'staff.alert.acknowledge' },
  { action: 'suggestion.accept', keys: 'e', group: 'inbox', operation: 'staff.suggestion.decide' },
  { action: 'suggestion.reject', keys: 'r', group: 'inbox', operation: 'staff.suggestion.decide' },
  { action: 'suggestion.modify', keys: 'c', group: 'inbox', operation: 'staff.suggestion.decide' },
  { action: 'application.search', keys: 'mod+k', group: 'application' },
  { action: 'application.next_property', keys: 'mod+shift+p', group: 'application' },
  { action: 'application.help', keys: 'shift+?', group: 'application' },
  {
    action: 'application.sign_out',
    keys: 'mod+shift+q',
    group: 'application',
    darwin: 'mod+alt+q',
  },
]

/** Changes whenever the table does; part of the response. */
export const SHORTCUTS_VERSION = 1
