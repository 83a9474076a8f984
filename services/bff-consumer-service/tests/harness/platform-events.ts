import { createRedisStreamsBus } from '@melmastoon/chassis/bus'
import { createRedis } from '@melmastoon/chassis/redis'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { newId, type PropertyId, type TenantId } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import {
  listingIndexed,
  platformRegistry,
  tenantReactivated,
  tenantSuspended,
  themePublished,
} from '@melmastoon/platform-events'
import type { TestEnvironment } from './start-consumer.ts'

type Built = OutboxEvent

interface ListedProperty {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

/** Publishes events of the platform's services on the bus. */
export function startPlatformPublisher({ redis: { sessionUrl } }: Pick<TestEnvironment, 'redis'>) {
  const redis = createRedis(sessionUrl, { name: 'platform', onError: () => undefined })
  const bus = createRedisStreamsBus({ redis })
  const publish = async ({ eventId, subject, orderingKey, envelope, payload }: Built) => {
    const published = { ...envelope, publishedAt: new Date().toISOString() }
    const body = JSON.stringify({ envelope: published, payload })
    const [outcome] = await bus.publish([{ eventId, subject, orderingKey, body, attributes: {} }])
    if (outcome?.ok !== true) throw new Error('the event was not published')
  }
  return {
    publish,
    suspend(tenantId: TenantId, at = new Date()) {
      const suspendedAt = at.toISOString()
      const payload = { tenantId, slug: 'hotel', reasonCode: 'unpaid', suspendedAt }
      return publish(platformRegistry.build(tenantSuspended.subject, payload, causeOf(tenantId)))
    },
    reactivate(tenantId: TenantId, at = new Date()) {
      const payload = { tenantId, slug: 'hotel', reactivatedAt: at.toISOString() }
      return publish(platformRegistry.build(tenantReactivated.subject, payload, causeOf(tenantId)))
    },
    publishTheme(tenantId: TenantId) {
      const payload = {
        tenantId,
        themeId: newId('thm'),
        themeVersion: 4,
        previousVersion: 3,
        publishedAt: new Date().toISOString(),
      }
      return publish(platformRegistry.build(themePublished.subject, payload, causeOf(tenantId)))
    },
    index({ tenantId, propertyId }: ListedProperty) {
      const indexedAt = new Date().toISOString()
      const payload = { tenantId, propertyId, listingVersion: 9, reason: 'rates', indexedAt }
      return publish(platformRegistry.build(listingIndexed.subject, payload, causeOf(tenantId)))
    },
    async [Symbol.asyncDispose]() {
      await bus[Symbol.asyncDispose]()
      redis.disconnect()
    },
  }
}

export function causeOf(tenantId: Built['tenantId']) {
  return {
    producerInstance: 'platform-test',
    tenantId,
    requestId: newId('req'),
    traceparent: renderTraceparent(newTrace()),
    occurredAt: new Date(),
  }
}
