import { toIsoDateTime } from '@melmastoon/domain'
import type { CampaignAttribution } from './guest-session.ts'
import type { Visit } from './visit.ts'

/** Names of campaigns, not sentences: an address or a phone number does not pass. */
const CAMPAIGN_NAME = /^[A-Za-z][\w .~+:-]{0,99}$/

/** Undefined when the visit came with none, or with nothing that looks like one. */
export function captureCampaign(
  given: Visit['campaign'],
  now: Date,
): CampaignAttribution | undefined {
  const source = named(given.source)
  const medium = named(given.medium)
  const campaign = named(given.campaign)
  if (source === undefined && medium === undefined && campaign === undefined) return undefined
  return {
    ...(source !== undefined && { source }),
    ...(medium !== undefined && { medium }),
    ...(campaign !== undefined && { campaign }),
    capturedAt: toIsoDateTime(now),
  }
}

function named(value: string | undefined): string | undefined {
  return value !== undefined && CAMPAIGN_NAME.test(value) ? value : undefined
}
