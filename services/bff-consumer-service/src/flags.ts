import { SAMPLE_RATES } from '@melmastoon/chassis/flags'
import { type ServiceBase, serviceFlags } from '@melmastoon/chassis/service'
import { Type } from 'typebox'

const CampaignMode = Type.Object({ enabled: Type.Boolean() })
const Sampling = Type.Object({ sampleRates: SAMPLE_RATES })

const CAMPAIGN_MODE = {
  key: 'bff.consumer.campaign_mode.v1',
  schema: CampaignMode,
  defaults: { enabled: false },
}
const SAMPLING = {
  key: 'bff-consumer-sampling',
  schema: Sampling,
  defaults: { sampleRates: {} },
}

export const CONSUMER_FLAGS = [CAMPAIGN_MODE, SAMPLING]

export interface ConsumerFlags {
  /** During a campaign pages may be older and prices are marked (C11, D6). */
  isCampaign(): boolean
  sampleRates(): Readonly<Record<string, number>>
}

const POLL_MS = 30_000

export function createConsumerFlags(base: ServiceBase, pollMs = POLL_MS): ConsumerFlags {
  const campaign = serviceFlags(base, { ...CAMPAIGN_MODE, pollMs })
  const sampling = serviceFlags(base, { ...SAMPLING, pollMs })
  return {
    isCampaign: () => campaign.current().enabled,
    sampleRates: () => sampling.current().sampleRates,
  }
}
