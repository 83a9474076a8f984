import { asAbsent, type ClientOf } from '@melmastoon/bff/upstreams'
import { createDeadline } from '@melmastoon/chassis/clock'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import { type Id, isId, type OperatorId, type PropertyId, type TenantId } from '@melmastoon/domain'
import { sessionRevoked } from '@melmastoon/platform-events'
import type { notificationContract } from '@melmastoon/upstream-contracts/notification'
import type { propertyContract } from '@melmastoon/upstream-contracts/property'
import type { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { isFinalRejection } from '../upstreams/final-rejection.ts'

export interface AlertReuseDeps {
  readonly errors: Pick<ErrorReporter, 'report'>
  readonly upstreams: {
    readonly tenant: Pick<ClientOf<typeof tenantContract>, 'getOperator'>
    readonly property: Pick<ClientOf<typeof propertyContract>, 'listByTenant'>
    readonly notification: Pick<ClientOf<typeof notificationContract>, 'raise'>
  }
}

/** The reason that iam gives for a session whose used refresh token was presented again. */
const REUSED = 'refresh_reused'
const CALL_MS = 3_000
/** Alerts belong to a property; the managers of each one are alerted. */
const PROPERTIES_MAX = 100

interface ReusedSession {
  readonly tenantId: TenantId
  readonly sessionId: Id<'bos'>
  readonly operatorId: OperatorId
}

/**
 * Somebody has a copy of a refresh token: managers are alerted, because iam can only end the
 * session. The event is repeated until all alerts are raised; each has the key of its session.
 */
export function onRefreshReused(deps: AlertReuseDeps): EventHandler {
  return on(sessionRevoked, {
    async afterCommit({ tenantId, sessionId, subjectId, reasonCode }) {
      if (reasonCode !== REUSED || !isId('bos', sessionId) || !isId('opr', subjectId)) return
      const session = { tenantId, sessionId, operatorId: subjectId }
      for (const propertyId of await propertiesOf(deps, session)) {
        await raise(deps, session, propertyId)
      }
    },
  })
}

async function propertiesOf(
  { upstreams }: AlertReuseDeps,
  { tenantId, operatorId }: ReusedSession,
): Promise<readonly PropertyId[]> {
  using deadline = createDeadline(CALL_MS)
  const call = { tenantId, deadline }
  const found = await upstreams.tenant.getOperator({ params: { operatorId } }, call).catch(asAbsent)
  if (found === null) return []
  if (found.properties !== '*') return found.properties as readonly PropertyId[]
  const page = await upstreams.property.listByTenant({ query: { limit: PROPERTIES_MAX } }, call)
  return page.properties.map(({ propertyId }) => propertyId)
}

async function raise(
  { upstreams, errors }: AlertReuseDeps,
  { tenantId, sessionId, operatorId }: ReusedSession,
  propertyId: PropertyId,
): Promise<void> {
  const deduplicationKey = `session_reuse:${sessionId}`
  const idempotencyKey = `${deduplicationKey}:${propertyId}`
  using deadline = createDeadline(CALL_MS)
  const body = {
    propertyId,
    category: 'session_reuse' as const,
    severity: 'critical' as const,
    title: { key: 'alerts.session_reuse', params: { operatorId, sessionId } },
    audience: ['general_manager' as const, 'owner' as const],
    resourceKind: 'operator' as const,
    resourceId: operatorId,
    deduplicationKey,
  }
  try {
    await upstreams.notification.raise({ body }, { tenantId, deadline, idempotencyKey })
  } catch (error) {
    if (!isFinalRejection(error)) throw error
    errors.report('session-reuse', error)
  }
}
