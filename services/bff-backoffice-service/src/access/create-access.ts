import type { Cache } from '@melmastoon/chassis/cache'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { LimitPolicy } from '@melmastoon/chassis/limits'
import { channelOf } from '@melmastoon/chassis/redis'
import { type ServiceBase, serviceLimiter } from '@melmastoon/chassis/service'
import { createReplayStoreMemory } from '@melmastoon/chassis/sessions'
import { newTrace } from '@melmastoon/chassis/telemetry'
import { KeyRing, verifyProof } from '@melmastoon/security'
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_TYPE } from '@melmastoon/upstream-contracts/iam'
import type { BackofficeConfig } from '../config.ts'
import type { Upstreams } from '../upstreams/create-upstreams.ts'
import type { Access } from './access.ts'
import type { AccessControls } from './access-controls.ts'
import { Authenticator } from './authenticator.ts'
import { SessionConfirmations } from './confirm-session.ts'
import { EndedSessions } from './ended-sessions.ts'
import { FailedAttempts } from './failed-attempts.ts'
import { Nonces } from './nonces.ts'
import { OperatorRecords, operatorLookup } from './operator-records.ts'
import { isStillAllowed } from './resolve-operator.ts'
import { createSessionRecords } from './session-records.ts'
import { Sessions, type SessionsDeps } from './sessions.ts'
import { createSigningKeys } from './signing-keys.ts'
import { createStoreEpoch } from './store-epoch.ts'
import { VerifiedTokens } from './verified-tokens.ts'

export interface AccessDeps extends ServiceBase<BackofficeConfig> {
  readonly upstreams: Pick<Upstreams, 'iam' | 'tenant'>
  readonly cache: Cache
  /** A session was opened: the first request of a device after it signed in. */
  readonly onOpened: SessionsDeps['onOpened']
}

const RECORD_MS = 5_000
/** A device with a broken key is noticed, a hotel is not locked out. */
const FAILURES_PER_MINUTE = 60

export function createAccess(deps: AccessDeps, controls: AccessControls = {}): Access {
  const parts = createParts(deps, controls)
  const { sessions, records, nonces, epoch, ended } = parts
  const operators = new OperatorRecords(deps)
  const authenticator = createAuthenticator(deps, { ...parts, operators }, controls)
  deps.metrics.gauge({
    name: 'session_active_count',
    help: 'Sessions that this process served in the last 15 minutes',
    collect: (gauge) => gauge.set({}, sessions.activeCount()),
  })
  ended.add((sessionId) => sessions.forget(sessionId))
  return {
    authenticate: (credentials) => authenticator.authenticate(credentials),
    withDeviceKey: (presented, work) => authenticator.withDeviceKey(presented, work),
    isAllowedNow: createScopeCheck(operators),
    prepare: async () => void (await epoch.read().catch(deps.errors.for('access'))),
    nonce: () => nonces.current(),
    endSession: async (sessionId) => void (await records.end(sessionId)),
    findSession: (sessionId) => records.find(sessionId),
    findSessionOfDevice: (device) => records.findByDevice(device),
    onSessionEnded: (listener) => ended.add(listener),
    findEnded: (sessionIds) => records.findEnded(sessionIds),
  }
}

/** Streams ask every two seconds: usually the record is cached, and needs no deadline. */
function createScopeCheck(operators: OperatorRecords): Access['isAllowedNow'] {
  return async (tenantId, scope) => {
    const { operatorId } = scope
    const lookup = operatorLookup({ tenantId, operatorId })
    const known = operators.known(lookup)
    if (known !== undefined) return isStillAllowed(scope, known)
    using deadline = createDeadline(RECORD_MS)
    const call = { deadline, trace: newTrace() }
    return isStillAllowed(scope, await operators.get(lookup, call))
  }
}

/** What requests with and without an access token share. */
function createParts(deps: AccessDeps, controls: AccessControls) {
  const { config, clock, keys, sessionRedis: redis, upstreams, errors, onOpened } = deps
  const onError = errors.for('access')
  const epoch = controls.epoch ?? createStoreEpoch(redis, keys.prefix('proof-epoch'))
  const ring = KeyRing.parse(config.secrets.nonceKeys.reveal())
  const channel = channelOf(redis, keys.prefix('session'), 'ended')
  const stored = createSessionRecords({ redis, keys, channel })
  const records = controls.wrapRecords?.(stored) ?? stored
  const confirmations = new SessionConfirmations({ upstreams })
  const onReplay = countReplays(deps)
  const shared = { records, confirmations, epoch, clock, onReplay }
  return {
    ...shared,
    nonces: new Nonces({ ring, clock, epoch }),
    sessions: new Sessions({ ...shared, onOpened, onError }),
    ended: new EndedSessions({ redis, channel, onError }),
  }
}

function createAuthenticator(
  deps: AccessDeps,
  parts: ReturnType<typeof createParts> & { readonly operators: OperatorRecords },
  controls: AccessControls,
): Authenticator {
  const { config, clock, upstreams, errors } = deps
  const rules = {
    issuer: config.iamIssuer,
    audience: ACCESS_TOKEN_AUDIENCE,
    type: ACCESS_TOKEN_TYPE,
  }
  const keys = createSigningKeys({ iam: upstreams.iam, clock, onError: errors.for('access') })
  return new Authenticator({
    ...parts,
    publicUrls: config.publicUrls.map((url) => url.replace(/\/+$/, '')),
    tokens: new VerifiedTokens({ keys, rules, clock }),
    attempts: new FailedAttempts(serviceLimiter(deps, failurePolicy(controls)), clock),
    localReplays: createReplayStoreMemory(clock),
    verifyProof: controls.verifyProof ?? verifyProof,
  })
}

function countReplays({ metrics }: Pick<AccessDeps, 'metrics'>): () => void {
  const replays = metrics.counter({
    name: 'dpop_replay_blocked_total',
    help: 'Proofs of possession that were rejected because they had been used before',
  })
  return () => replays.inc({})
}

function failurePolicy({ failures: limit = FAILURES_PER_MINUTE }: AccessControls): LimitPolicy {
  return { name: 'staff-auth-failures', limit, periodSeconds: 60, burst: limit }
}
