/** The clock of a device as one batch shows it. Versions decide about intents, never times. */
export interface DeviceClock {
  readonly receivedAt: Date
  /** What to add to a time of the device. */
  readonly skewMs: number
  readonly isSuspect: boolean
  /** When the previous batch arrived; the oldest time that is shown where the clock is suspect. */
  readonly lastContact: Date | null
}

/** The previous batch of the device. */
export interface LastContact {
  readonly receivedAt: Date
  readonly bootId: string
}

const SUSPECT_MS = 10 * 60_000
const INTENT_DAYS_MAX = 7
const AGE_MAX_MS = INTENT_DAYS_MAX * 86_400_000

export function readDeviceClock(
  { sentAt, bootId }: { readonly sentAt: Date; readonly bootId: string },
  receivedAt: Date,
  last: LastContact | null,
): DeviceClock {
  const skewMs = receivedAt.getTime() - sentAt.getTime()
  const isRebooted = last !== null && last.bootId !== bootId
  return {
    receivedAt,
    skewMs,
    isSuspect: Math.abs(skewMs) > SUSPECT_MS || isRebooted,
    lastContact: last?.receivedAt ?? null,
  }
}

/**
 * When it happened, as far as can be known. The times of a correct clock hold however often the
 * device was in contact since: a long queue is sent in several batches, and what is pending is sent
 * again. With a suspect clock it happened between the last contact and now.
 */
export function correctTime(clock: DeviceClock, occurredAt: Date): Date {
  const received = clock.receivedAt.getTime()
  const lastContact = clock.isSuspect ? clock.lastContact : null
  const earliest = lastContact?.getTime() ?? Number.NEGATIVE_INFINITY
  const corrected = occurredAt.getTime() + clock.skewMs
  return new Date(Math.min(received, Math.max(earliest, corrected)))
}

/**
 * By the corrected time, which a device with an exact clock cannot make younger by being in contact
 * often. Only where the clock is suspect, the time that is shown counts: a wrong clock makes no
 * intent too old while the device was in contact in the last seven days.
 */
export function isTooOld(
  clock: DeviceClock,
  sentAs: Date,
  stored: { readonly occurredAt: Date; readonly receivedAt: Date },
): boolean {
  const occurredMs = clock.isSuspect ? stored.occurredAt.getTime() : sentAs.getTime() + clock.skewMs
  return stored.receivedAt.getTime() - occurredMs > AGE_MAX_MS
}
