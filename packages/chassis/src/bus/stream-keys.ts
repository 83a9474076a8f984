/** One hash tag for all keys of the bus, so that a script may touch several of them (D21). */
const TAG = '{bus}'

export const streamKey = (subject: string) => `${TAG}:stream:${subject}`
export const deadStreamKey = (subscription: string) => `${TAG}:dead:${subscription}`
export const leaseKey = (subscription: string, subject: string) =>
  `${TAG}:lease:${subscription}.${subject}`
