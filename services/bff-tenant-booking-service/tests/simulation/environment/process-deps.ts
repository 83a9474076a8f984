import type { Clock } from '@melmastoon/chassis/clock'
import { BackgroundWork } from '@melmastoon/chassis/concurrency'
import { createIdempotency, type IdempotencyStore } from '@melmastoon/chassis/idempotency'
import type { TenantId } from '@melmastoon/domain'
import { KeyedHash, KeyRing, webhookKeys } from '@melmastoon/security'
import type { SaveDetailsDeps } from '../../../src/bookings/save-details.ts'
import type { WebhookDeps } from '../../../src/checkout/receive-webhook.ts'
import { registry } from '../../../src/events/registry.ts'
import type { FulfilmentMeasures } from '../../../src/fulfilment/fulfilment-measures.ts'
import type { ReplaceHoldDeps } from '../../../src/holds/replace-hold.ts'
import type { SweepDeps } from '../../../src/sweeping/sweep-drafts.ts'
import { simulatedDatabase } from '../simulated-database.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import type { UpstreamClients } from '../simulated-upstream.ts'
import { nameOf, type OnWrite, type Rewrite, timedDatabase } from './simulated-statements.ts'
import type { SimulationStore } from './simulation-store.ts'

const ringOf = (text: string) =>
  KeyRing.parse(`k1:active:${Buffer.alloc(32, text).toString('base64url')}`)

export const WEBHOOK_KEYS = webhookKeys('the webhook signing secret of the simulation')
const FULFILMENT_KEYS = ringOf('fulfilment')
const GUEST_DATA_KEYS = ringOf('guest data')
const HASHES = new KeyedHash(ringOf('pepper'))
const SECRET = Buffer.alloc(32, 'idempotency')

export interface ProcessDeps extends WebhookDeps, SweepDeps {
  readonly idempotency: IdempotencyStore
  readonly holds: ReplaceHoldDeps
  readonly details: SaveDetailsDeps
}

export interface ProcessOptions {
  readonly store: SimulationStore
  readonly process: SimulatedProcess
  readonly clients: UpstreamClients
  /** Of this process: its calendar may differ from that of the database. */
  readonly clock: Clock
  /** Of the database. */
  readonly databaseClock: Clock
  readonly isSuspended: (tenantId: TenantId) => boolean
  readonly onWrite: OnWrite
  /** How long the process is paused before a statement. */
  readonly pauseMs: (label: string) => number
  /** What the metrics count, as `name value value`. */
  readonly onCount: (event: string) => void
  readonly rewrite?: Rewrite | undefined
  readonly fulfilmentKeys?: KeyRing | undefined
}

/** Redis is absent in every history: all that bookings need is in Postgres (D25). */
const NO_HOT_DRAFTS = {
  read: async () => null,
  store: () => undefined,
}

export function processDeps(options: ProcessOptions): ProcessDeps {
  const { store, process, clients, clock, databaseClock, onWrite, onCount, rewrite } = options
  const timed = { clock: databaseClock, onWrite, rewrite }
  const tasks = { labelOf: ({ text }: { text: string }) => nameOf(text), pauseMs: options.pauseMs }
  const db = simulatedDatabase(timedDatabase(store.app, timed), process, tasks)
  const relayDb = simulatedDatabase(timedDatabase(store.relay, timed), process, tasks)
  const background = new SimulatedWork(process)
  const fulfilmentKeys = options.fulfilmentKeys ?? FULFILMENT_KEYS
  const flags = { sampleRates: () => ({}), areNewIntentsPaused: () => false }
  const errors = { for: (component: string) => () => onCount(`error ${component}`) }
  const common = {
    db,
    clock,
    flags,
    config: { instance: process.name },
    upstreams: clients,
    guestDataKeys: GUEST_DATA_KEYS,
    fulfilmentKeys,
    hotDrafts: NO_HOT_DRAFTS,
  }
  return {
    ...common,
    relayDb,
    errors,
    background,
    webhookKeys: WEBHOOK_KEYS,
    blocked: { has: options.isSuspended },
    fulfilment: countingMeasures(onCount),
    sleep: (durationMs) => process.sleep(durationMs),
    idempotency: createIdempotency({ db, schema: store.schema, secret: SECRET }),
    holds: partly<ReplaceHoldDeps>({
      ...common,
      registry,
      background,
      sessions: { update: async (session: unknown) => session },
      cacheRedis: { get: async () => null },
      keys: { prefix: (name: string) => name },
      errors: { ...errors, report: () => undefined },
    }),
    details: { ...common, hashes: HASHES },
  }
}

/** Collaborators of which a history uses these parts only: the rest reports to Redis. */
function partly<D extends object>(parts: Readonly<Partial<Record<keyof D, unknown>>>): D {
  return parts as D
}

/** Work that no response waits for is an activity of its process. */
class SimulatedWork extends BackgroundWork {
  readonly #process: SimulatedProcess

  constructor(process: SimulatedProcess) {
    super({ onError: () => undefined, onDropped: () => undefined })
    this.#process = process
  }

  override run(name: string, work: () => Promise<unknown>): boolean {
    this.#process.spawn(name.split(' ')[0] ?? name, work)
    return true
  }
}

function countingMeasures(onCount: (event: string) => void): FulfilmentMeasures {
  const measure = (name: string) => ({
    inc: (labels: object) => onCount([name, ...Object.values(labels)].join(' ')),
    set: () => undefined,
  })
  return new Proxy({} as FulfilmentMeasures, {
    get: (_, name) => measure(String(name)),
  })
}
