/** A place in the log of a tenant. Another epoch means another log: nothing can be compared. */
export interface Position {
  readonly epoch: string
  readonly seq: number
}

const POSITION = /^([A-Za-z0-9_-]{8,32})\.(0|[1-9]\d{0,14})$/

export function formatPosition({ epoch, seq }: Position): string {
  return `${epoch}.${seq}`
}

/** Null for anything that this service has not sent. */
export function parsePosition(text: string): Position | null {
  const [, epoch, seq] = POSITION.exec(text) ?? []
  return epoch === undefined || seq === undefined ? null : { epoch, seq: Number(seq) }
}

/** What the log of a tenant contains now; an empty one has `oldest` = `newest` + 1. */
export interface LogBounds {
  readonly epoch: string
  readonly oldest: number
  readonly newest: number
}

/**
 * Whether every event after the position is still there. The event before the oldest one need not
 * be. A position after the newest one is of writes that Redis has lost.
 */
export function canResume(position: Position | null, { epoch, oldest, newest }: LogBounds) {
  return (
    position !== null &&
    position.epoch === epoch &&
    position.seq >= oldest - 1 &&
    position.seq <= newest
  )
}
