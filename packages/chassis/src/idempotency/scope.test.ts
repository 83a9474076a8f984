import { newId } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveUpstreamKey, type IdempotencyScope, scopeDigest } from './scope.ts'

const scope: IdempotencyScope = {
  service: 'guest-book',
  tenantId: newId('tnt'),
  principal: newId('gms'),
  method: 'POST',
  route: '/notes',
  key: 'abcdefgh-01234567',
}

describe('scopeDigest', () => {
  it('is stable and differs with every part of the scope', () => {
    const changed: Partial<IdempotencyScope>[] = [
      { service: 'other' },
      { tenantId: newId('tnt') },
      { tenantId: null },
      { principal: newId('gms') },
      { method: 'PATCH' },
      { route: '/notes/:id' },
      { key: 'abcdefgh-01234568' },
    ]
    const digests = changed.map((part) => scopeDigest({ ...scope, ...part }))
    expect(new Set([scopeDigest(scope), ...digests]).size).toBe(changed.length + 1)
    expect(scopeDigest({ ...scope, method: 'post' })).toBe(scopeDigest(scope))
  })

  it('does not depend on device or operator, which the principal already names', () => {
    expect(scopeDigest({ ...scope, deviceId: 'd', operatorId: 'o' })).toBe(scopeDigest(scope))
  })

  it('cannot be forged by shifting text between neighbouring parts', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (left, right) => {
        const one = scopeDigest({ ...scope, principal: left + right, route: 'r' })
        const two = scopeDigest({ ...scope, principal: left, route: `${right}r` })
        expect(one).not.toBe(two)
      }),
    )
  })

  it('refuses an empty principal, which would share keys between strangers', () => {
    expect(() => scopeDigest({ ...scope, principal: '' })).toThrow(TypeError)
  })
})

describe('deriveUpstreamKey', () => {
  const secret = Buffer.from('a secret of this environment')
  const digest = scopeDigest(scope)

  it('is the same for the same scope and step, and another for anything else', () => {
    const key = deriveUpstreamKey(secret, digest, 'hold')
    expect(deriveUpstreamKey(secret, digest, 'hold')).toBe(key)
    expect(key).toMatch(/^[\w-]{43}$/)
    expect(deriveUpstreamKey(secret, digest, 'payment')).not.toBe(key)
    expect(deriveUpstreamKey(Buffer.from('another'), digest, 'hold')).not.toBe(key)
  })

  it('refuses a step without a name', () => {
    expect(() => deriveUpstreamKey(secret, digest, '')).toThrow(TypeError)
  })
})
