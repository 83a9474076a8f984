import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { handoffConsumed } from '@melmastoon/platform-events'
import { recordConsumption } from './handoff-sql.ts'

/**
 * The booking service reports an arrival by an internal call, at most once; this event is the
 * report that is always delivered (D4). The booking service has accepted the arrival already, so
 * neither the expiry nor the tenant's state is checked again.
 */
export function onHandoffConsumed(): EventHandler {
  return on(handoffConsumed, {
    async handle(tx, payload, { envelope }) {
      await tx.query(
        recordConsumption({
          handoffId: payload.handoffId,
          tenantId: payload.tenantId,
          arrivalId: payload.handoffArrivalId,
          instance: envelope.producerInstance,
          consumedAt: payload.consumedAt,
        }),
      )
    },
  })
}
