import { type ServiceBase, serviceFlags } from '@melmastoon/chassis/service'
import { type Static, Type } from 'typebox'

const ExampleFlags = Type.Object({
  /** During a campaign pages may be older (C11). */
  campaignMode: Type.Boolean(),
  sampleRates: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 })),
})

export type ExampleFlags = Static<typeof ExampleFlags>

export const createExampleFlags = (base: ServiceBase) =>
  serviceFlags(base, {
    key: 'example-flags',
    schema: ExampleFlags,
    defaults: { campaignMode: false, sampleRates: {} },
  })
