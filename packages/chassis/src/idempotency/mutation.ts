import { isProblem, type Problem } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import { type SqlFragment, sqlStateOf } from '../db/index.ts'
import { NO_EFFECT_SETTING } from './idempotency-sql.ts'
import type { ResponseDraft } from './stored-response.ts'

/** What a mutation writes, all of it in the statement that stores its result. */
export interface Mutation {
  /** Selects `from claimed`, and returns a row when it changed something. */
  readonly effect?: SqlFragment
  /** On other tables: these select `from effect` or `from claimed` and may return nothing. */
  readonly furtherEffects?: readonly SqlFragment[]
  /** Written only with the effect; gated by `claimed` here. */
  readonly events?: readonly OutboxEvent[]
  /** Known beforehand: ids are created by the caller. */
  readonly response: ResponseDraft
  /** Runs when this attempt has committed, never for a replay. Must not throw. */
  readonly afterCommit?: () => void
  /** The error when the effect changes no row. Nothing is written then. */
  readonly rejection?: () => Problem
}

const UNDEFINED_OBJECT = '42704'

/** Runs the statement of a mutation. Null: its effect changed no row, and Postgres undid it. */
export async function nullWithoutEffect<T>(run: Promise<T>): Promise<T | null> {
  try {
    return await run
  } catch (error) {
    if (isNoEffect(error)) return null
    throw error
  }
}

function isNoEffect(error: unknown): boolean {
  if (sqlStateOf(error) !== UNDEFINED_OBJECT || !isProblem(error)) return false
  return error.cause instanceof Error && error.cause.message.includes(NO_EFFECT_SETTING)
}

export function rejectionOf({ rejection }: Mutation): Error {
  return rejection?.() ?? new TypeError('the effect changed no row and has no rejection')
}
