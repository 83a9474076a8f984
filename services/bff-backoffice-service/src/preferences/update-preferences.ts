import { asRejectedRequest, type ClientOf } from '@melmastoon/bff/upstreams'
import type { Cache } from '@melmastoon/chassis/cache'
import type { Database } from '@melmastoon/chassis/db'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { fieldError, type PropertyId, problem, throwIfInvalid } from '@melmastoon/domain'
import type { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { type Operator, requireProperty } from '../access/operator.ts'
import { preferencesUpdated } from '../events/preferences-events.ts'
import { causationOf, type EventDeps, type StaffCall } from '../events/staff-call.ts'
import { type PreferencesContent, preferencesTag } from './preferences.ts'
import { mirrorPreferences } from './preferences-sql.ts'

export interface UpdatePreferencesDeps extends EventDeps {
  readonly db: Database
  readonly cache: Pick<Cache, 'invalidate'>
  readonly errors: Pick<ErrorReporter, 'report'>
  readonly upstreams: {
    readonly tenant: Pick<
      ClientOf<typeof tenantContract>,
      'getOperatorPreferences' | 'putOperatorPreferences'
    >
  }
}

export interface PreferencesUpdate {
  readonly operator: Operator
  readonly propertyId: PropertyId
  readonly payload: Record<string, unknown>
  /** The version that was read; 0 for the first change. */
  readonly expectedVersion: number
}

const PAYLOAD_BYTES = 32 * 1_024
/** A null character or half a surrogate pair in JSON: Postgres stores neither. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i

/**
 * Replaces the operator's own preferences unless another device has changed them (B6): at the
 * tenant service, then in the mirror.
 * @throws Problem TENANT.VERSION_CONFLICT with the `current` preferences, RESOURCE_NOT_FOUND
 */
export async function updatePreferences(
  deps: UpdatePreferencesDeps,
  update: PreferencesUpdate,
  call: StaffCall,
): Promise<PreferencesContent> {
  const { operator, propertyId } = update
  requireProperty(operator, propertyId)
  checkPayload(update)
  const { payload, version } = await put(deps, update, call)
  const stored = { payload, version }
  await mirror(deps, { operator, propertyId, content: stored }, call)
  await deps.cache
    .invalidate([preferencesTag(operator)])
    .catch((error: unknown) => deps.errors.report('preferences', error))
  return stored
}

function checkPayload({ payload }: PreferencesUpdate): void {
  const json = JSON.stringify(payload)
  if (Buffer.byteLength(json) > PAYLOAD_BYTES) {
    throwIfInvalid([fieldError('/payload', 'size', `must not exceed ${PAYLOAD_BYTES} bytes`)])
  }
  if (UNSTORABLE.test(json)) {
    throwIfInvalid([
      fieldError('/payload', 'text', 'must not contain null characters or unpaired surrogates'),
    ])
  }
}

async function put(
  { upstreams }: UpdatePreferencesDeps,
  { operator, propertyId, payload, expectedVersion }: PreferencesUpdate,
  call: StaffCall,
): Promise<PreferencesContent> {
  const { tenantId, operatorId, deviceId } = operator
  const target = { params: { operatorId }, query: { propertyId } }
  const actor = { operatorId, deviceId }
  const body = { payload, expectedVersion, actor, ...causationOf(call) }
  try {
    return await upstreams.tenant.putOperatorPreferences({ ...target, body }, { ...call, tenantId })
  } catch (error) {
    if (!isConflict(error)) return asRejectedRequest(error)
    const { deadline, trace } = call
    const current = await upstreams.tenant
      .getOperatorPreferences(target, { deadline, trace, tenantId })
      .catch(asRejectedRequest)
    const extensions = { current: { payload: current.payload, version: current.version } }
    throw problem('MELMASTOON.TENANT.VERSION_CONFLICT', { cause: error, extensions })
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof UpstreamRejection && error.code === 'MELMASTOON.TENANT.VERSION_CONFLICT'
}

interface StoredPreferences extends Pick<PreferencesUpdate, 'operator' | 'propertyId'> {
  readonly content: PreferencesContent
}

async function mirror(
  { db, registry }: UpdatePreferencesDeps,
  { operator, propertyId, content }: StoredPreferences,
  { deadline, cause }: StaffCall,
): Promise<void> {
  const { tenantId, operatorId, deviceId } = operator
  const payload = { tenantId, operatorId, deviceId, propertyId, version: content.version }
  const event = registry.build(preferencesUpdated.subject, payload, cause)
  const key = { tenantId, operatorId, propertyId }
  await db.tenantQuery(tenantId, mirrorPreferences(key, content, event), { deadline })
}
