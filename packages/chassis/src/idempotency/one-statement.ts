import { isProblem } from '@melmastoon/domain'
import { sqlStateOf } from '../db/index.ts'
import { claimInPostgres, findKnownResponse, toInput } from './claim.ts'
import type { Claim } from './claim-handle.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { ReplayOutcome } from './judge-row.ts'
import { type IdempotencyScope, scopeDigest } from './scope.ts'
import { claimedEvents } from './sql/claimed-events.ts'
import {
  NO_EFFECT_SETTING,
  type WriteOnceInput,
  writeClaimed,
  writeOnce,
} from './sql/write-once.ts'
import type { IdempotencyStore } from './store.ts'
import { encodeResponse, renderResponse, type StoredResponse } from './stored-response.ts'
import type { WritePlan } from './write-plan.ts'

export interface OneStatementOptions extends Omit<WritePlan, 'refusal'> {
  readonly requestHash: Fingerprint
  readonly ttlMs: number
}

export type OneStatementOutcome =
  | { readonly kind: 'done'; readonly response: StoredResponse }
  /** The effect touched nothing, so nothing at all was written and the key is still free. */
  | { readonly kind: 'no_effect' }
  | ReplayOutcome

/** Only for taking over what an earlier attempt left; its transaction is short. */
const LEASE_MS = 15_000
const UNDEFINED_OBJECT = '42704'

/** For mutations without an upstream call: the whole of it in one round trip and one commit. */
export async function oneStatement(
  store: IdempotencyStore,
  scope: IdempotencyScope,
  options: OneStatementOptions,
): Promise<OneStatementOutcome> {
  const digest = scopeDigest(scope)
  const known = store.shortcut && (await findKnownResponse(store, digest, options.requestHash))
  const outcome =
    known ?? (await undoneWithoutEffect(() => write(store, { scope, digest, options })))
  store.counters.outcomes.inc({ outcome: outcome.kind })
  return outcome
}

interface Write {
  readonly scope: IdempotencyScope
  readonly digest: string
  readonly options: OneStatementOptions
}

async function write(store: IdempotencyStore, work: Write): Promise<OneStatementOutcome> {
  const { options, digest, scope } = work
  const response = renderResponse(options.response)
  const input: WriteOnceInput = {
    ...toInput(store, scope, digest),
    requestHash: options.requestHash.value,
    hashVersion: options.requestHash.version,
    ttlMs: options.ttlMs,
    status: response.status,
    payload: encodeResponse(response),
    effect: options.effect,
    events: claimedEvents(options.events),
  }
  const rows = await store.db.scoped(scope.tenantId).query(writeOnce(input))
  if (rows.length === 0) return writeUnderClaim(store, work, input)
  return { kind: 'done', response }
}

/** The key exists: mostly a replay, else work that an earlier attempt left or an old generation. */
async function writeUnderClaim(
  store: IdempotencyStore,
  { scope, options }: Write,
  input: WriteOnceInput,
): Promise<OneStatementOutcome> {
  const outcome = await claimInPostgres(store, input, { ...options, leaseMs: LEASE_MS })
  if (outcome.kind !== 'claimed') return outcome
  const held: Claim = outcome.claim
  try {
    await store.db.scoped(scope.tenantId).transaction(async (tx) => {
      await tx.query(writeClaimed(input))
      await held.complete(options.response, tx)
    })
  } catch (error) {
    await held.abandon().catch(() => undefined)
    throw error
  }
  return { kind: 'done', response: renderResponse(options.response) }
}

async function undoneWithoutEffect(
  run: () => Promise<OneStatementOutcome>,
): Promise<OneStatementOutcome> {
  try {
    return await run()
  } catch (error) {
    if (isNoEffect(error)) return { kind: 'no_effect' }
    throw error
  }
}

function isNoEffect(error: unknown): boolean {
  if (sqlStateOf(error) !== UNDEFINED_OBJECT || !isProblem(error)) return false
  return error.cause instanceof Error && error.cause.message.includes(NO_EFFECT_SETTING)
}
