import { id, instant } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { CLIENT_STEPS, FunnelMetadata } from '../events/view-events.ts'

/** `ConversionFunnelEvent` of the domain model (§2.6), as far as a client knows it. */
export const FunnelStepBody = Type.Object({
  step: Type.Enum([...CLIENT_STEPS]),
  propertyId: Type.Optional(id('ppt')),
  searchSessionId: Type.Optional(id('srs')),
  occurredAt: Type.Optional(instant()),
  metadata: Type.Optional(FunnelMetadata),
})

export type FunnelStepBody = Static<typeof FunnelStepBody>
