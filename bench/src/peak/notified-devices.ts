import type { Staff } from './hotel-state.ts'

/** The channel that announces changes of a board; `/today` counts the rows of all others. */
const CHANNEL_OF_BOARD: Readonly<Record<string, string>> = {
  '/arrivals': 'arrivals',
  '/departures': 'departures',
  '/in-house': 'in_house',
  '/housekeeping': 'housekeeping',
  '/maintenance': 'maintenance',
}
const CHANNELS = new Set(Object.values(CHANNEL_OF_BOARD))

/**
 * Devices whose stream has announced a change of the board that they show, in the order of the
 * announcements. A device reads its board once for all changes that it was notified of meanwhile.
 */
export class NotifiedDevices<S extends Pick<Staff, 'board'> = Staff> {
  readonly #waiting = new Set<S>()

  get count(): number {
    return this.#waiting.size
  }

  notify(staff: S, channel: string): void {
    const own = CHANNEL_OF_BOARD[staff.board]
    if (own === undefined ? CHANNELS.has(channel) : own === channel) this.#waiting.add(staff)
  }

  /** The one that has waited longest, which then waits no more. */
  take(): S | undefined {
    const [first] = this.#waiting
    if (first !== undefined) this.#waiting.delete(first)
    return first
  }
}
