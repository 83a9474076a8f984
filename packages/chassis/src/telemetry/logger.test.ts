import { describe, expect, it } from 'vitest'
import { describeError, maskMessage } from './describe-error.ts'
import type { LogFields } from './log-fields.ts'
import { createLogger } from './logger.ts'

function capture(level: 'debug' | 'info' = 'info') {
  const lines: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  return { lines, logger: createLogger({ service: 'svc', level, destination }) }
}

class ExpectedProblem extends Error {
  override readonly name = 'Problem'
  readonly status = 404
  readonly code = 'MELMASTOON.X'
}

describe('logger', () => {
  it('writes one JSON line with severity, service and time', () => {
    const { lines, logger } = capture()
    logger.warn({ job: 'prune', count: 3 }, 'slow')
    expect(lines).toEqual([
      expect.objectContaining({ severity: 'WARNING', service: 'svc', job: 'prune', count: 3 }),
    ])
    expect(lines[0]?.['message']).toBe('slow')
  })

  it('drops fields that are not allowed, also in child loggers', () => {
    const { lines, logger } = capture()
    const fields = { email: 'canary@x.af', guest: { name: 'canary' }, route: '/a' } as LogFields
    logger.child({ email: 'canary' } as LogFields).info(fields, 'hello')
    expect(JSON.stringify(lines)).not.toContain('canary')
    expect(lines[0]?.['route']).toBe('/a')
  })

  it('removes query strings and objects, and truncates long texts', () => {
    const { lines, logger } = capture()
    const nested = { reason: { deep: 'canary' } } as unknown as LogFields
    logger.info({ ...nested, route: '/book?h=canary', outcome: 'x'.repeat(5000) }, 'm')
    expect(JSON.stringify(lines)).not.toContain('canary')
    expect(lines[0]).toMatchObject({ route: '/book', outcome: 'x'.repeat(200) })
  })

  it('writes one line even when a value contains line breaks', () => {
    const { lines, logger } = capture()
    logger.info({ reason: 'a\n{"severity":"ERROR"}' }, 'm')
    expect(lines).toHaveLength(1)
  })

  it('writes nothing below its level', () => {
    const { lines, logger } = capture('info')
    logger.debug({}, 'quiet')
    expect(lines).toEqual([])
  })
})

describe('describeError', () => {
  it('retains only the code of an expected failure', () => {
    expect(describeError(new ExpectedProblem('canary'))).toEqual({
      type: 'Problem',
      code: 'MELMASTOON.X',
    })
  })

  it('retains a masked message and the frames of an unexpected one', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const described = describeError(new TypeError('bad value "canary"', { cause }))
    expect(described).toMatchObject({ type: 'TypeError', cause: { code: 'ECONNREFUSED' } })
    expect(JSON.stringify(described)).not.toContain('canary')
    expect(described.stack).toMatch(/^\s+at /)
  })

  it.each([
    ['invalid input syntax for type uuid: "canary"', 'canary'],
    ['getaddrinfo https://host/p?token=canary', 'canary'],
    ['mail canary@example.af refused', 'canary'],
    ['phone 93700123456 unknown', '700123456'],
    ["unterminated 'canary", 'canary'],
    [`token ${'c4nary'.repeat(8)}`, 'c4naryc4nary'],
  ])('masks %s', (message, canary) => {
    expect(maskMessage(message)).not.toContain(canary)
  })

  it('handles thrown values that are not errors, and circular causes', () => {
    const loop = new Error('loop')
    loop.cause = loop
    expect(describeError('canary')).toEqual({ type: 'string' })
    expect(describeError(loop).cause?.cause?.cause?.cause).toBeUndefined()
  })
})
