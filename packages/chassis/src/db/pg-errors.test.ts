import { isProblem, problem } from '@melmastoon/domain'
import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import { fromPgError, isUniqueViolation, sqlStateOf } from './pg-errors.ts'

function databaseError(code: string, fields: Partial<DatabaseError> = {}): DatabaseError {
  return Object.assign(new DatabaseError('secret text of guest@example.org', 0, 'error'), fields, {
    code,
  })
}

function codeOf(error: unknown): string | undefined {
  const mapped = fromPgError(error)
  return isProblem(mapped) ? mapped.code.replace('MELMASTOON.', '') : undefined
}

describe('fromPgError', () => {
  it.each([
    ['MT001', 'TENANT.CONTEXT_MISSING'],
    ['40001', 'GENERAL.CONFLICT'],
    ['40P01', 'GENERAL.CONFLICT'],
    ['23505', 'GENERAL.CONFLICT'],
    ['55P03', 'GENERAL.OVERLOADED'],
    ['57014', 'GENERAL.DEADLINE_EXCEEDED'],
    ['57P01', 'GENERAL.DEPENDENCY_UNAVAILABLE'],
    ['08006', 'GENERAL.DEPENDENCY_UNAVAILABLE'],
    ['53300', 'GENERAL.DEPENDENCY_UNAVAILABLE'],
    ['25006', 'GENERAL.DEPENDENCY_UNAVAILABLE'],
    ['22021', 'GENERAL.VALIDATION_FAILED'],
    ['42501', 'GENERAL.INTERNAL'],
    ['23514', 'GENERAL.INTERNAL'],
  ])('SQLSTATE %s is %s', (sqlState, expected) => {
    expect(codeOf(databaseError(sqlState))).toBe(expected)
    expect(sqlStateOf(fromPgError(databaseError(sqlState)))).toBe(sqlState)
  })

  it.each([
    [Object.assign(new Error('connect'), { syscall: 'connect', code: 'ECONNREFUSED' })],
    [new Error('Connection terminated unexpectedly')],
    [new Error('Client has encountered a connection error and is not queryable')],
    [new AggregateError([new Error('::1'), new Error('127.0.0.1')])],
  ])('a lost connection is DEPENDENCY_UNAVAILABLE: %s', (error) => {
    expect(codeOf(error)).toBe('GENERAL.DEPENDENCY_UNAVAILABLE')
  })

  it('an exhausted pool is OVERLOADED', () => {
    const error = new Error('timeout exceeded when trying to connect')
    expect(codeOf(error)).toBe('GENERAL.OVERLOADED')
  })

  it('returns problems and programming errors unchanged', () => {
    const known = problem('MELMASTOON.GENERAL.FORBIDDEN')
    const mistake = new TypeError('mine')
    expect(fromPgError(known)).toBe(known)
    expect(fromPgError(mistake)).toBe(mistake)
  })

  it('exposes no text, detail or key of the row', () => {
    const error = databaseError('23505', { detail: 'Key (email)=(guest@example.org) exists' })
    const mapped = fromPgError(error)
    const cause = isProblem(mapped) ? mapped.cause : undefined
    const everything = `${String(mapped)} ${String(cause)} ${JSON.stringify([mapped, cause])}`
    expect(everything).not.toContain('guest@example.org')
  })

  it('identifies the unique constraint that rejected the write', () => {
    const mapped = fromPgError(databaseError('23505', { constraint: 'ux_notes' }))
    expect(isUniqueViolation(mapped)).toBe(true)
    expect(isUniqueViolation(mapped, 'ux_notes')).toBe(true)
    expect(isUniqueViolation(mapped, 'ux_other')).toBe(false)
    expect(isUniqueViolation(fromPgError(databaseError('40001')))).toBe(false)
  })
})
