import { type IsoDateTime, toIsoDateTime } from '@melmastoon/domain'

/** A beacon may have waited for a network connection. */
const DELAY_MAX_MS = 3_600_000

/** The time of the client's clock where it is plausible, otherwise ours. */
export function boundedInstant(claimed: IsoDateTime | undefined, now: IsoDateTime): IsoDateTime {
  if (claimed === undefined) return now
  const behindMs = Date.parse(now) - Date.parse(claimed)
  return behindMs >= 0 && behindMs <= DELAY_MAX_MS ? toIsoDateTime(new Date(claimed)) : now
}

/** Names only: an IP address may be personal. */
const HOST_NAME = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z][a-z0-9-]{1,62}$/
const HOST_LENGTH_MAX = 253

/** Only the host of the referring page is recorded: the rest may contain what was searched for. */
export function hostOf(referer: string | undefined): string | undefined {
  const url = referer === undefined ? null : URL.parse(referer)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  const { hostname } = url
  return hostname.length <= HOST_LENGTH_MAX && HOST_NAME.test(hostname) ? hostname : undefined
}
