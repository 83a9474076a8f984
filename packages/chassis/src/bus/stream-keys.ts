/** One hash tag for all keys of the bus, so that a script may touch several of them (D21). */
const TAG = '{bus}'

export const STREAM_PREFIX = `${TAG}:stream:`
export const LEASE_PREFIX = `${TAG}:lease:`

export const streamKey = (subject: string) => STREAM_PREFIX + subject
/** `name` as in D32. */
export const deadStreamKey = (name: string) => `${TAG}:dead:${name}`
export const leaseKey = (subscription: string, subject: string) =>
  `${LEASE_PREFIX}${subscription}.${subject}`
/**
 * Identifies the data set of the server: if it is missing or different, the streams may have lost
 * messages.
 */
export const EPOCH_KEY = `${TAG}:epoch`
