import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { newId } from '@melmastoon/domain'
import { platformRegistry, sessionRevoked } from '@melmastoon/platform-events'
import type { BackofficeWithFakes } from './start-with-fakes.ts'
import type { TestDevice } from './test-device.ts'

/** The event of the platform that a session was ended by somebody else. */
export async function publishRevocation(
  { service: { ctx } }: Pick<BackofficeWithFakes, 'service'>,
  { tenantId, sessionId }: Pick<TestDevice, 'tenantId' | 'sessionId'>,
): Promise<void> {
  const revokedAt = new Date().toISOString()
  const payload = { tenantId, sessionId, subjectId: null, reasonCode: 'signed_out', revokedAt }
  const { eventId, subject, orderingKey, envelope } = platformRegistry.build(
    sessionRevoked.subject,
    payload,
    {
      producerInstance: 'iam-test',
      tenantId,
      requestId: newId('req'),
      traceparent: renderTraceparent(newTrace()),
      occurredAt: new Date(),
    },
  )
  const body = JSON.stringify({ envelope: { ...envelope, publishedAt: revokedAt }, payload })
  await ctx.bus.publish([{ eventId, subject, orderingKey, body, attributes: {} }])
}
