import { isProblem, type Problem, type ProblemCode, problem } from '@melmastoon/domain'
import { DatabaseError } from 'pg'

/**
 * The safe part of a Postgres error. Its text, DETAIL and parameters may contain a guest's data or
 * another tenant's key, so they are dropped; only class 42 (syntax) describes our SQL alone.
 */
export class PgFailure extends Error {
  override readonly name = 'PgFailure'
  readonly sqlState: string
  readonly constraint: string | undefined
  readonly table: string | undefined

  constructor(error: DatabaseError) {
    const sqlState = error.code ?? 'XX000'
    const subject = error.constraint ?? error.table ?? error.routine ?? ''
    super(sqlState.startsWith('42') ? `${sqlState} ${error.message}` : `${sqlState} ${subject}`)
    this.sqlState = sqlState
    this.constraint = error.constraint
    this.table = error.table
  }
}

const BY_STATE: Readonly<Record<string, ProblemCode>> = {
  MT001: 'MELMASTOON.TENANT.CONTEXT_MISSING',
  '23503': 'MELMASTOON.GENERAL.CONFLICT',
  '23505': 'MELMASTOON.GENERAL.CONFLICT',
  '23P01': 'MELMASTOON.GENERAL.CONFLICT',
  '40001': 'MELMASTOON.GENERAL.CONFLICT',
  '40P01': 'MELMASTOON.GENERAL.CONFLICT',
  '55P03': 'MELMASTOON.GENERAL.OVERLOADED',
  '57014': 'MELMASTOON.GENERAL.DEADLINE_EXCEEDED',
  // NUL and other text that no column can hold.
  '22021': 'MELMASTOON.GENERAL.VALIDATION_FAILED',
  '22P05': 'MELMASTOON.GENERAL.VALIDATION_FAILED',
  // A primary that became a standby: the pool reconnects to the new one.
  '25006': 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
  '25P03': 'MELMASTOON.GENERAL.DEADLINE_EXCEEDED',
}

const BY_CLASS: Readonly<Record<string, ProblemCode>> = {
  '08': 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
  '53': 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
  '57': 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
  '58': 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
}

/** The pool had no free connection in time: the process is overloaded, not the database. */
const POOL_WAIT = 'timeout exceeded when trying to connect'
const POOL_ENDED = 'Cannot use a pool after calling end on the pool'
const NO_TLS = 'The server does not support SSL connections'
const TLS_CODE = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/
const LOST_CONNECTION = /^Connection terminated|not queryable$/

/**
 * A failure of Postgres or of the connection, as a problem. Anything else is returned unchanged: a
 * problem, or a programming error that must not be reported as the database's.
 */
export function fromPgError(error: unknown): unknown {
  if (isProblem(error)) return error
  if (error instanceof DatabaseError) return fromDatabase(new PgFailure(error))
  if (!(error instanceof Error)) return error
  if (isPoolWait(error)) {
    return problem('MELMASTOON.GENERAL.OVERLOADED', { detail: 'no free connection in time' })
  }
  if (error.message === POOL_ENDED) return problem('MELMASTOON.GENERAL.SHUTTING_DOWN')
  if (isTlsRejection(error)) {
    const detail = 'no trusted TLS connection to Postgres'
    return problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { detail, cause: error })
  }
  if (isLostConnection(error)) {
    const detail = 'the connection to Postgres was lost or refused'
    return problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { detail, cause: error })
  }
  return error
}

export function isPoolWait(error: unknown): boolean {
  return error instanceof Error && error.message === POOL_WAIT
}

/** As pg-pool reports that no connection was free in time. */
export function poolWaitError(): Error {
  return new Error(POOL_WAIT)
}

function fromDatabase(cause: PgFailure): Problem {
  const { sqlState } = cause
  const code = BY_STATE[sqlState] ?? BY_CLASS[sqlState.slice(0, 2)] ?? 'MELMASTOON.GENERAL.INTERNAL'
  return problem(code, { cause })
}

function isLostConnection(error: Error): boolean {
  const isSystemError = 'syscall' in error || ('code' in error && error.code === 'ECONNRESET')
  return isSystemError || error instanceof AggregateError || LOST_CONNECTION.test(error.message)
}

/** The certificate is not trusted, or the server has no TLS at all. */
function isTlsRejection(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : ''
  return TLS_CODE.test(code) || error.message === NO_TLS
}

/** The SQLSTATE behind an error of this module, or undefined. */
export function sqlStateOf(error: unknown): string | undefined {
  const cause = isProblem(error) ? error.cause : error
  return cause instanceof PgFailure ? cause.sqlState : undefined
}

/** Whether a unique constraint rejected the write; `constraint` narrows it to one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const cause = isProblem(error) ? error.cause : error
  if (!(cause instanceof PgFailure) || cause.sqlState !== '23505') return false
  return constraint === undefined || cause.constraint === constraint
}
