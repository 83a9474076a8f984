import { newId, parseIsoDateTime } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import type { ResponsePart } from './bootstrap.ts'
import { joinBootstrap, newNonce } from './join-bootstrap.ts'

const shared = { brandName: 'مېلمستون', theme: { tokens: {} }, degraded: false }

describe('the response of one request', () => {
  it.each([null, newId('bha')])('has the members of both parts, arrival %s', (handoffArrivalId) => {
    const part: ResponsePart = {
      handoffPayload: null,
      handoffArrivalId,
      serverTime: parseIsoDateTime('2026-03-21T09:00:00.000Z'),
      csp: { nonce: 'با' },
    }
    const bytes = Buffer.from(JSON.stringify(shared))
    const before = Buffer.from(bytes)
    expect(JSON.parse(joinBootstrap(bytes, part).toString())).toEqual({ ...shared, ...part })
    expect(bytes).toEqual(before)
  })

  it('has a nonce of its own, also when the random bytes are drawn again', () => {
    const nonces = Array.from({ length: 1_000 }, newNonce)
    expect(new Set(nonces).size).toBe(nonces.length)
    for (const nonce of nonces) expect(nonce).toMatch(/^[A-Za-z0-9_-]{22}$/)
  })
})
