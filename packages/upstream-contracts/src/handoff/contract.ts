import { type Static, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { id, instant } from '../schemas.ts'

export const HandoffConsumption = Type.Object({
  tenantId: id('tnt'),
  arrivalId: id('bha'),
  consumedByBffInstance: Type.String({ pattern: '^[\\w.:-]{1,128}$' }),
})

export type HandoffConsumption = Static<typeof HandoffConsumption>

export const ConsumedHandoff = Type.Object({
  handoffId: id('bhd'),
  arrivalId: id('bha'),
  consumedAt: instant(),
})

export type ConsumedHandoff = Static<typeof ConsumedHandoff>

/**
 * Served by the internal listener of `bff-consumer-service`, for `bff-tenant-booking-service` only
 * (docs/handoff-token.md).
 */
export const handoffContract = defineContract({
  upstream: 'consumer',
  basePath: '/internal',
  operations: {
    /**
     * Compare and set by the arrival id, which serves as the idempotency key: the first arrival and
     * its retries receive the same response.
     */
    consume: {
      method: 'POST',
      path: '/handoff/:id/consume',
      summary: 'Report the arrival of a guest with a handoff; any other arrival is a replay',
      params: Type.Object({ id: id('bhd') }),
      body: HandoffConsumption,
      response: ConsumedHandoff,
      errorCodes: [
        'MELMASTOON.BFF.CONSUMER.HANDOFF_REPLAYED',
        'MELMASTOON.BFF.CONSUMER.HANDOFF_EXPIRED',
        'MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED',
        'MELMASTOON.TENANT.NOT_FOUND',
        'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
        'MELMASTOON.GENERAL.FORBIDDEN',
      ],
    },
  },
})
