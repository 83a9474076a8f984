import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isProblem, Problem, problem, problemDocument } from './problem.ts'
import {
  isProblemCode,
  PROBLEM_CODES,
  PROBLEMS,
  type ProblemCode,
  RETIRED_CODES,
} from './problems.ts'

const context = { instance: '/notes', requestId: 'req_1', traceId: 'abc' }

describe('P2 the table of codes', () => {
  it('P2 every row is complete and well-formed', () => {
    for (const code of PROBLEM_CODES) {
      const entry = PROBLEMS[code]
      expect(code).toMatch(/^MELMASTOON(\.[A-Z][A-Z_]*){2,3}$/)
      expect(entry.status).toBeGreaterThanOrEqual(400)
      expect(entry.status).toBeLessThan(600)
      expect(entry.title).not.toBe('')
      expect(Object.isFrozen(entry)).toBe(true)
      expect(entry.retriable || entry.retryAfterSeconds === undefined).toBe(true)
    }
  })

  it('P2 keys and types derive from the code', () => {
    const entry = PROBLEMS['MELMASTOON.BFF.CONSUMER.HANDOFF_REPLAYED']
    expect(entry.userMessageKey).toBe('errors.bff.consumer.handoff_replayed')
    expect(entry.type).toBe('https://errors.melmastoon.ghasi.io/bff/consumer/handoff_replayed')
  })

  it.each([
    ['WISHLIST_LIMIT_EXCEEDED', 422],
    ['HANDOFF_REPLAYED', 409],
    ['HANDOFF_EXPIRED', 410],
    ['HANDOFF_SIGNATURE_INVALID', 401],
    ['TENANT_SUSPENDED', 403],
    ['SUSPECTED_BOT', 429],
    ['UPSTREAM_BUDGET_EXCEEDED', 504],
    ['LOCALE_NOT_SUPPORTED', 422],
    ['CURRENCY_NOT_SUPPORTED', 422],
  ])('C15 %s has status %d', (name, status) => {
    expect(PROBLEMS[`MELMASTOON.BFF.CONSUMER.${name}` as ProblemCode].status).toBe(status)
  })

  it('P2 no retired code is in use', () => {
    expect(RETIRED_CODES.filter(isProblemCode)).toEqual([])
    expect(isProblemCode('toString')).toBe(false)
  })
})

describe('P2 docs/errors.md', () => {
  const text = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `(MELMASTOON\.[A-Z_.]+)`\s+\|(.+)\|$/gm)].map(
    ([, code = '', rest = '']) => ({ code, cells: rest.split('|').map((cell) => cell.trim()) }),
  )

  it('P2 lists exactly the codes of the table, once each', () => {
    expect(rows.map((entry) => entry.code).toSorted()).toEqual([...PROBLEM_CODES].toSorted())
  })

  it('P2 gives the status, retry, key and advice of each code', () => {
    for (const { code, cells } of rows) {
      const entry = PROBLEMS[code as ProblemCode]
      const [status, retriable, key, advice] = cells
      expect([code, status]).toEqual([code, String(entry.status)])
      expect([code, retriable]).toEqual([code, entry.retriable ? 'yes' : 'no'])
      expect([code, key]).toEqual([code, `\`${entry.userMessageKey}\``])
      expect([code, (advice ?? '').length > 10]).toEqual([code, true])
    }
  })

  it('P2 lists the retired codes', () => {
    const section = text.split('## Retired codes')[1] ?? ''
    const listed = [...section.matchAll(/^- `(MELMASTOON\.[A-Z_.]+)`/gm)].map(([, code]) => code)
    expect(listed).toEqual([...RETIRED_CODES])
  })
})

describe('P2 OpenAPI documents', () => {
  const services = new URL('../../../services/', import.meta.url)
  const documents = readdirSync(services).map((name) => [
    name,
    readFileSync(new URL(`${name}/contracts/openapi.json`, services), 'utf8'),
  ])

  it.each(documents)('P2 of %s name only codes of the table', (_name, document = '') => {
    const named = [...document.matchAll(/MELMASTOON(?:\.[A-Z][A-Z_]*)+/g)].map(([code]) => code)
    expect(named.filter((code) => !isProblemCode(code))).toEqual([])
  })
})

describe('P2 Problem', () => {
  it('P2 takes everything from the table', () => {
    const failure = problem('MELMASTOON.GENERAL.RATE_LIMITED')
    expect(isProblem(failure)).toBe(true)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).toMatchObject({
      status: 429,
      retriable: true,
      retryAfterSeconds: 1,
      expose: true,
    })
  })

  it('P2 options override the table and the cause is preserved', () => {
    const cause = new Error('inner')
    const failure = problem('MELMASTOON.GENERAL.RATE_LIMITED', { retryAfterSeconds: 7, cause })
    expect(failure.retryAfterSeconds).toBe(7)
    expect(failure.cause).toBe(cause)
    expect('cause' in problem('MELMASTOON.GENERAL.CONFLICT')).toBe(false)
  })

  it('P2 an unknown code is a programming error', () => {
    expect(() => new Problem('MELMASTOON.NOPE' as ProblemCode)).toThrow(TypeError)
  })

  it('P2 renders the whole document', () => {
    const errors = [{ pointer: '/dates/checkIn', code: 'format', detail: 'must be a date' }]
    const failure = problem('MELMASTOON.GENERAL.VALIDATION_FAILED', {
      detail: 'Two fields',
      errors,
    })
    expect(problemDocument(failure, context)).toEqual({
      type: 'https://errors.melmastoon.ghasi.io/general/validation_failed',
      title: 'Invalid request',
      status: 400,
      detail: 'Two fields',
      instance: '/notes',
      code: 'MELMASTOON.GENERAL.VALIDATION_FAILED',
      errors,
      requestId: 'req_1',
      traceId: 'abc',
      retriable: false,
      retryAfter: null,
      userMessageKey: 'errors.general.validation_failed',
    })
  })

  it('P2 hides internal details and preserves standard members', () => {
    const failure = problem('MELMASTOON.GENERAL.INTERNAL', {
      detail: 'password is hunter2',
      extensions: { status: 200, code: 'X', challenge: 'captcha' },
    })
    const document = problemDocument(failure, context)
    expect(JSON.stringify(document)).not.toContain('hunter2')
    expect(document).toMatchObject({
      status: 500,
      code: 'MELMASTOON.GENERAL.INTERNAL',
      challenge: 'captcha',
    })
    expect('errors' in document).toBe(false)
  })
})
