import { createFlags, type Flags } from '@melmastoon/chassis/flags'
import type { Redis } from '@melmastoon/chassis/redis'
import { flagsMetrics, type Metrics } from '@melmastoon/chassis/telemetry'
import { type Static, Type } from 'typebox'

const CampaignMode = Type.Object({ enabled: Type.Boolean() })
const Sampling = Type.Object({
  /** By subject; without an entry the event's own rate holds. */
  sampleRates: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 })),
})

export interface ConsumerFlags extends Disposable {
  /** A campaign is on: pages may be older, prices say so (C11, D6). */
  isCampaign(): boolean
  sampleRates(): Readonly<Record<string, number>>
}

export function createConsumerFlags(redis: Redis, metrics: Metrics, pollMs = 30_000) {
  const common = { redis, pollMs, ...flagsMetrics(metrics) }
  const campaign: Flags<Static<typeof CampaignMode>> = createFlags({
    ...common,
    key: 'bff.consumer.campaign_mode.v1',
    schema: CampaignMode,
    defaults: { enabled: false },
  })
  const sampling: Flags<Static<typeof Sampling>> = createFlags({
    ...common,
    key: 'bff-consumer-sampling',
    schema: Sampling,
    defaults: { sampleRates: {} },
  })
  const flags: ConsumerFlags = {
    isCampaign: () => campaign.current().enabled,
    sampleRates: () => sampling.current().sampleRates,
    [Symbol.dispose]() {
      campaign[Symbol.dispose]()
      sampling[Symbol.dispose]()
    },
  }
  return flags
}
