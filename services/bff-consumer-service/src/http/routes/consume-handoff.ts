import { readClientInfo } from '@melmastoon/bff/guests'
import { createServiceVerifier } from '@melmastoon/bff/upstreams'
import { type App, eventCause } from '@melmastoon/chassis/http'
import { problem } from '@melmastoon/domain'
import { handoffContract } from '@melmastoon/upstream-contracts/handoff'
import type { FastifyRequest } from 'fastify'
import type { ConsumerContext } from '../../context.ts'
import { consumeBookingHandoff } from '../../handoff/consume-booking-handoff.ts'

const CALLER = 'bff-tenant-booking-service'
const DEADLINE_MS = 1_000
const { consume } = handoffContract.operations
const schema = { params: consume.params, body: consume.body, response: { 200: consume.response } }

/**
 * For the service that receives the guest on the hotel's own site, on the internal listener. It
 * needs no idempotency key: the arrival is one, and the same arrival gets the same response.
 */
export function consumeHandoffRoute(app: App, ctx: ConsumerContext): void {
  const verifier = createServiceVerifier(ctx.config, {
    audience: ctx.config.internalUrl ?? '',
    serviceAccounts: { [ctx.config.bookingServiceAccount]: 'bff-tenant-booking-service' },
  })
  const onRequest = async ({ headers }: FastifyRequest) => {
    const { service } = await verifier.verify(headers)
    if (service !== CALLER) throw problem('MELMASTOON.GENERAL.FORBIDDEN')
  }
  const config = { operation: 'internal.handoff.consume', deadlineMs: DEADLINE_MS }
  const path = `${handoffContract.basePath}${consume.path}`
  app.post(path, { config, schema, onRequest }, (request, reply) => {
    const { tenantId, arrivalId, consumedByBffInstance: instance } = request.body
    reply.header('cache-control', 'no-store')
    return consumeBookingHandoff(ctx, {
      handoffId: request.params.id,
      tenantId,
      arrivalId,
      instance,
      deadline: request.deadline,
      trace: request.trace,
      client: readClientInfo(request),
      cause: () => eventCause(ctx, request),
    })
  })
}
