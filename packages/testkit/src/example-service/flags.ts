import { createFlags, type Flags } from '@melmastoon/chassis/flags'
import type { Redis } from '@melmastoon/chassis/redis'
import { flagsMetrics, type Metrics } from '@melmastoon/chassis/telemetry'
import { type Static, Type } from 'typebox'

const ExampleFlags = Type.Object({
  /** A campaign is on: pages may be older (C11). */
  campaignMode: Type.Boolean(),
  sampleRates: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 })),
})

export type ExampleFlags = Static<typeof ExampleFlags>

export function createExampleFlags(redis: Redis, metrics: Metrics): Flags<ExampleFlags> {
  return createFlags({
    redis,
    key: 'example-flags',
    schema: ExampleFlags,
    defaults: { campaignMode: false, sampleRates: {} },
    ...flagsMetrics(metrics),
  })
}
