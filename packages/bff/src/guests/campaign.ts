import { toIsoDateTime } from '@melmastoon/domain'
import { instant } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import type { ClientInfo } from './client-info.ts'

const attribution = () => Type.Optional(Type.String({ minLength: 1, maxLength: 100 }))

/** The campaign that brought a guest. */
export const CampaignAttribution = Type.Object({
  source: attribution(),
  medium: attribution(),
  campaign: attribution(),
  capturedAt: instant(),
})

export type CampaignAttribution = Static<typeof CampaignAttribution>

/** Names of campaigns, not sentences: an address or a phone number does not match. */
const CAMPAIGN_NAME = /^[A-Za-z][\w .~+:-]{0,99}$/

/** Undefined when the request names no campaign, or nothing that looks like one. */
export function captureCampaign(
  given: ClientInfo['campaign'],
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
