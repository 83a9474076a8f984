import type { ProblemCode } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { finalAmong, finalRejectionSet, isStorable } from './is-storable.ts'

const FULL: ProblemCode = 'MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED'

describe('isStorable', () => {
  it.each([200, 201, 202, 204, 299])('stores success %i', (status) => {
    expect(isStorable(status)).toBe(true)
  })

  it.each([100, 199, 300, 304, 400, 401, 403, 404, 409, 422, 429, 500, 503])(
    'does not store a bare %i',
    (status) => {
      expect(isStorable(status)).toBe(false)
    },
  )

  it('stores a rejection only where the route declares it final', () => {
    expect(isStorable(422, FULL)).toBe(false)
    expect(isStorable(422, FULL, new Set([FULL]))).toBe(true)
  })

  it.each<ProblemCode>([
    'MELMASTOON.GENERAL.VALIDATION_FAILED',
    'MELMASTOON.GENERAL.MALFORMED_BODY',
    'MELMASTOON.GENERAL.UNAUTHENTICATED',
    'MELMASTOON.GENERAL.FORBIDDEN',
    'MELMASTOON.GENERAL.RATE_LIMITED',
    'MELMASTOON.GENERAL.REQUEST_TIMEOUT',
    'MELMASTOON.GENERAL.INTERNAL',
    'MELMASTOON.GENERAL.OVERLOADED',
    'MELMASTOON.GENERAL.CONFLICT',
    'MELMASTOON.BFF.UPSTREAM_TIMEOUT',
    'MELMASTOON.IDEMPOTENCY.IN_FLIGHT',
    'MELMASTOON.IDEMPOTENCY.KEY_REUSED',
  ])('never stores %s, and rejects a route that declares it final', (code) => {
    expect(isStorable(422, code, new Set([code]))).toBe(false)
    expect(() => finalRejectionSet([FULL, code])).toThrow(TypeError)
  })

  it('stores the rejection of a suspended hotel only where it is declared', () => {
    const suspended: ProblemCode = 'MELMASTOON.TENANT.SUSPENDED'
    const codes = [FULL, suspended, 'MELMASTOON.GENERAL.RATE_LIMITED'] as const
    expect(finalAmong(codes)).toEqual([FULL])
    expect(finalAmong(codes, [suspended])).toEqual([FULL, suspended])
    expect(isStorable(403, suspended, finalRejectionSet([suspended]))).toBe(true)
  })

  it('accepts final rejections', () => {
    expect([...finalRejectionSet([FULL, 'MELMASTOON.BFF.CONSUMER.HANDOFF_EXPIRED'])]).toHaveLength(
      2,
    )
  })
})
