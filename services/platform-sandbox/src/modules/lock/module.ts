import { repeat, runUntilStopped } from '@melmastoon/chassis/concurrency'
import { idToUuid, type TenantId } from '@melmastoon/domain'
import { type LockVendor, lockContract } from '@melmastoon/upstream-contracts/lock'
import { systemCause } from '../../event-causes.ts'
import type { ModuleHost, ServedModule, Worker } from '../../module.ts'
import { changeKey } from './change-key.ts'
import type { LockOperations } from './credential.ts'
import { deliverDue } from './deliver-due.ts'
import { issueKey } from './issue-key.ts'
import {
  type LockPlace,
  listScenarios,
  removeScenario,
  type ScenarioOwner,
  type SetScenario,
  setGateway,
  setScenario,
  setVendor,
} from './lock-controls.ts'
import type { LockHost, LockSiblings } from './lock-host.ts'
import { getCredential, getRequest, getVendor, listCredentials } from './read-keys.ts'
import { type RecentRequest, recentRequests } from './recent-requests.ts'
import { RESPONSES_TOPIC } from './response-sql.ts'
import { stayEndHandlers } from './revoke-after-stay.ts'
import type { LockScenario } from './scenarios.ts'
import { type SentResponse, sendResponse } from './send-response.ts'

export type { LockPlace, SetScenario } from './lock-controls.ts'
export type { RecentRequest } from './recent-requests.ts'
export { LOCK_SCENARIO_NAMES, LOCK_SCENARIOS, type LockScenario } from './scenarios.ts'
export { SENT_RESPONSES } from './send-response.ts'

const POLL_MS = 200

export interface LockModule extends ServedModule<LockOperations> {
  /** How the lock system behaves from now on. */
  readonly controls: {
    setScenario(
      owner: ScenarioOwner,
      scenario: { readonly scenario: LockScenario; readonly times: number | null },
    ): Promise<void>
    removeScenario(owner: ScenarioOwner): Promise<void>
    scenariosOf(tenantId: TenantId): Promise<SetScenario[]>
    setGateway(place: LockPlace, gateway: 'online' | 'offline'): Promise<void>
    setVendor(place: LockPlace, vendor: LockVendor): Promise<void>
    sendResponse(
      request: { readonly tenantId: TenantId; readonly requestId: string },
      sent: SentResponse,
    ): Promise<void>
    recentRequests(): Promise<RecentRequest[]>
  }
}

/** Simulated lock systems that can fail on demand. No door is opened. */
export function createLockModule(moduleHost: ModuleHost, siblings: LockSiblings): LockModule {
  const { db, relayDb, registry, config } = moduleHost
  const host: LockHost = {
    ...siblings,
    db,
    registry,
    lateMs: config.lockLateMs,
    pinKey: config.secrets.idempotency.reveal(),
  }
  return {
    contract: lockContract,
    handlers: lockHandlers(host),
    subscriptions: stayEndHandlers(host, () => systemCause(config.instance)),
    controls: {
      setScenario: (owner, scenario) => setScenario(db, owner, scenario),
      removeScenario: (owner) => removeScenario(db, owner),
      scenariosOf: (tenantId) => listScenarios(db, tenantId),
      setGateway: (place, gateway) => setGateway(db, place, gateway),
      setVendor: (place, vendor) => setVendor(db, place, vendor),
      sendResponse: (request, sent) => sendResponse(host, request, sent),
      recentRequests: () => recentRequests(relayDb),
    },
    start: async () => startResponder(moduleHost),
  }
}

function lockHandlers(host: LockHost): LockModule['handlers'] {
  return {
    issue: (input, call) => issueKey(host, input, call),
    revoke: ({ params, body }, call) =>
      changeKey(
        host,
        { ...params, ...body, action: 'revoke', change: { reason: body.reason } },
        call,
      ),
    rebind: ({ params, body }, call) => {
      const change = { rooms: body.rooms.map(idToUuid) }
      return changeKey(host, { ...params, ...body, action: 'rebind', change }, call)
    },
    extend: ({ params, body }, call) => {
      const change = { validUntil: body.validUntil }
      return changeKey(host, { ...params, ...body, action: 'extend', change }, call)
    },
    getRequest: ({ params }, { tenantId }) => getRequest(host, tenantId, params),
    getCredential: ({ params }, { tenantId }) => getCredential(host, tenantId, params),
    listCredentials: (input, { tenantId }) => listCredentials(host, tenantId, input),
    getVendor: ({ params }, { tenantId }) => getVendor(host, tenantId, params),
  }
}

/** Delivers the responses of vendors that nobody waits for. */
function startResponder(host: ModuleHost): Worker {
  const { db, relayDb, registry, config, errors, announcements: source } = host
  const publishing = () => ({ registry, cause: systemCause(config.instance) })
  const deliver = () => deliverDue({ db, relayDb, publishing })
  const onError = errors.for('lock', 'respond')
  const announced = { source, topic: RESPONSES_TOPIC }
  return runUntilStopped((signal) =>
    repeat(deliver, { pollMs: POLL_MS, announced, signal, onError }),
  )
}
