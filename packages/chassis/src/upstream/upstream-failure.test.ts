import { describe, expect, it } from 'vitest'
import { fromUpstreamRejection } from './upstream-failure.ts'
import { UpstreamRejection } from './upstream-request.ts'

const rejection = (status: number, code: string) =>
  new UpstreamRejection('reservation', status, { code })

describe('a rejection by an upstream that the caller does not expect', () => {
  it('is an error of this service', () => {
    const { status, retriable } = fromUpstreamRejection(rejection(409, 'MELMASTOON.X.Y'))
    expect([status, retriable]).toEqual([502, false])
  })

  it('is retriable while an earlier attempt with the same key is still at work', () => {
    const problem = fromUpstreamRejection(rejection(409, 'MELMASTOON.IDEMPOTENCY.IN_FLIGHT'))
    expect([problem.status, problem.code, problem.retriable]).toEqual([
      409,
      'MELMASTOON.IDEMPOTENCY.IN_FLIGHT',
      true,
    ])
  })
})
