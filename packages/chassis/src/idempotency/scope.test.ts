import { newId } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callerKey, deriveUpstreamKey, type IdempotencyScope, scopeKey } from './scope.ts'

const scope: IdempotencyScope = {
  service: 'guest-book',
  tenantId: newId('tnt'),
  principal: newId('gms'),
  operation: 'guest_book.note.place',
  key: 'abcdefgh-01234567',
}

describe('scopeKey', () => {
  it('is stable and differs with every part of the scope', () => {
    const changed: Partial<IdempotencyScope>[] = [
      { service: 'other' },
      { tenantId: newId('tnt') },
      { tenantId: null },
      { principal: newId('gms') },
      { operation: 'guest_book.note.change' },
      { key: 'abcdefgh-01234568' },
    ]
    const keys = changed.map((part) => scopeKey({ ...scope, ...part }))
    expect(new Set([scopeKey(scope), ...keys]).size).toBe(changed.length + 1)
  })

  it('does not depend on device or operator, which the principal already names', () => {
    expect(scopeKey({ ...scope, deviceId: 'd', operatorId: 'o' })).toBe(scopeKey(scope))
  })

  it('cannot be forged by shifting text between neighbouring parts', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (left, right) => {
        const one = scopeKey({ ...scope, principal: left + right, key: 'r' })
        const two = scopeKey({ ...scope, principal: left, key: `${right}r` })
        expect(one).not.toBe(two)
      }),
    )
  })

  it('has the same prefix for all operations of the caller', () => {
    const other = { ...scope, operation: 'guest_book.note.change' }
    expect(scopeKey(scope)).toBe(`${callerKey(scope)}.guest_book.note.place`)
    expect(scopeKey(other).startsWith(`${callerKey(scope)}.`)).toBe(true)
  })

  it.each(['', 'a b', 'a/b', 'x'.repeat(101)])('rejects %j as an operation', (operation) => {
    expect(() => scopeKey({ ...scope, operation })).toThrow(TypeError)
  })

  it('rejects an empty principal, which would share keys between clients', () => {
    expect(() => scopeKey({ ...scope, principal: '' })).toThrow(TypeError)
  })
})

describe('deriveUpstreamKey', () => {
  const secret = Buffer.from('a secret of this environment')
  const storedKey = scopeKey(scope)

  it('is the same for the same scope and step, and another for anything else', () => {
    const key = deriveUpstreamKey(secret, storedKey, 'hold')
    expect(deriveUpstreamKey(secret, storedKey, 'hold')).toBe(key)
    expect(key).toMatch(/^[\w-]{43}$/)
    expect(deriveUpstreamKey(secret, storedKey, 'payment')).not.toBe(key)
    expect(deriveUpstreamKey(Buffer.from('another'), storedKey, 'hold')).not.toBe(key)
  })

  it('rejects a step without a name', () => {
    expect(() => deriveUpstreamKey(secret, storedKey, '')).toThrow(TypeError)
  })
})
