import { isProblem } from '@melmastoon/domain'
import { type SqlFragment, sqlStateOf } from '../db/index.ts'
import { findKnownResponse, keepReplayed, type ReplayOutcome, toInput } from './claim.ts'
import type { Fingerprint } from './fingerprint.ts'
import { IN_FLIGHT, judgeRow } from './judge-row.ts'
import { type IdempotencyScope, scopeDigest } from './scope.ts'
import { NO_EFFECT_SETTING, writeOnce } from './sql/write-once.ts'
import type { IdempotencyStore } from './store.ts'
import {
  encodeResponse,
  type ResponseDraft,
  renderResponse,
  type StoredResponse,
} from './stored-response.ts'

export interface OneStatementOptions {
  readonly requestHash: Fingerprint
  readonly ttlMs: number
  /** Selects `from claimed` and returns a row when it did something. */
  readonly effect: SqlFragment
  /** An insert into the outbox that selects `from claimed`. */
  readonly events?: SqlFragment
  /** Known beforehand: ids are made by the caller. */
  readonly response: ResponseDraft
}

export type OneStatementOutcome =
  | { readonly kind: 'done'; readonly response: StoredResponse }
  /** The effect touched nothing, so nothing at all was written and the key is still free. */
  | { readonly kind: 'no_effect' }
  | ReplayOutcome

const ROUNDS_MAX = 4
const UNDEFINED_OBJECT = '42704'

/** For mutations without an upstream call: the whole of it in one round trip and one commit. */
export async function oneStatement(
  store: IdempotencyStore,
  scope: IdempotencyScope,
  options: OneStatementOptions,
): Promise<OneStatementOutcome> {
  const digest = scopeDigest(scope)
  const known = await findKnownResponse(store, digest, options.requestHash)
  const outcome = known ?? (await writeInPostgres(store, { scope, digest, options }))
  store.counters.outcomes.inc({ outcome: outcome.kind })
  return outcome
}

interface Write {
  readonly scope: IdempotencyScope
  readonly digest: string
  readonly options: OneStatementOptions
}

async function writeInPostgres(
  store: IdempotencyStore,
  { scope, digest, options }: Write,
): Promise<OneStatementOutcome> {
  const { requestHash: request, ttlMs, effect, events = null } = options
  const response = renderResponse(options.response)
  const shared = {
    ...toInput(store, scope, digest),
    ttlMs,
    status: response.status,
    payload: encodeResponse(response),
    effect,
    events,
  }
  let { version, value } = request
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const statement = writeOnce({ ...shared, requestHash: value, hashVersion: version })
    const row = await runOrNull(store, scope, statement)
    if (row === null) return { kind: 'no_effect' }
    if (row === undefined) continue
    if (row.claimed) {
      const record = { requestHash: value, hashVersion: version, status: response.status }
      store.shortcut?.keep(digest, { ...record, payload: shared.payload }, ttlMs)
      return { kind: 'done', response }
    }
    const verdict = judgeRow(row, request)
    if (verdict.kind !== 'resume') {
      if (verdict.kind === 'replay') keepReplayed(store, digest, row)
      return verdict
    }
    version = verdict.version
    value = verdict.value
  }
  return IN_FLIGHT as ReplayOutcome
}

async function runOrNull(
  store: IdempotencyStore,
  scope: IdempotencyScope,
  statement: ReturnType<typeof writeOnce>,
) {
  try {
    const [row] = await store.db.scoped(scope.tenantId).query(statement)
    return row
  } catch (error) {
    if (isNoEffect(error)) return null
    throw error
  }
}

function isNoEffect(error: unknown): boolean {
  if (sqlStateOf(error) !== UNDEFINED_OBJECT || !isProblem(error)) return false
  return error.cause instanceof Error && error.cause.message.includes(NO_EFFECT_SETTING)
}
