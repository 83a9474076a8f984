import { type IsoDateTime, toIsoDateTime } from '@melmastoon/domain'

/** A beacon may have waited for a network. */
const WAITED_MAX_MS = 3_600_000

/** What a client's clock says counts where it is possible; otherwise ours does. */
export function boundedInstant(said: IsoDateTime | undefined, now: IsoDateTime): IsoDateTime {
  if (said === undefined) return now
  const behindMs = Date.parse(now) - Date.parse(said)
  return behindMs >= 0 && behindMs <= WAITED_MAX_MS ? toIsoDateTime(new Date(said)) : now
}
