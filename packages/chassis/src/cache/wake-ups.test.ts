import { describe, expect, it } from 'vitest'
import { decodeWake, encodeWake, type WakeMessage } from './wake-ups.ts'

describe('a wake-up message', () => {
  it('is decoded as it was sent', () => {
    const messages: WakeMessage[] = [
      { id: 'k1', token: 't1', reason: { kind: 'written' } },
      { id: 'k1', token: 't1', reason: { kind: 'uncacheable' } },
      {
        id: 'k1',
        token: 't1',
        reason: { kind: 'failed', code: 'MELMASTOON.BFF.UPSTREAM_TIMEOUT' },
      },
    ]
    for (const message of messages) expect(decodeWake(encodeWake(message))).toEqual(message)
  })

  it('is ignored when it is malformed', () => {
    for (const text of ['', 'k1', 'k1 t1', 'k1 t1 dance']) expect(decodeWake(text)).toBeNull()
  })
})
