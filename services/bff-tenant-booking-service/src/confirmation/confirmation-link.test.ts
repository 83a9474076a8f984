import { newId, parseIsoDate } from '@melmastoon/domain'
import { KeyRing } from '@melmastoon/security'
import { describe, expect, it } from 'vitest'
import { confirmationLink, confirmationToken, verifyToken } from './confirmation-link.ts'

const secret = (fill: number) => Buffer.alloc(32, fill).toString('base64url')
const ringOf = (text: string) => ({ confirmationKeys: KeyRing.parse(text) })
const deps = ringOf(`c2:active:${secret(2)},c1:grace:${secret(1)}`)
const stay = {
  tenantId: newId('tnt'),
  reservationId: newId('rsv'),
  checkOut: parseIsoDate('2026-11-20'),
}
const { checkOut: _unsigned, ...ref } = stay
const now = new Date('2026-11-16T09:00:00Z')
const token = confirmationToken(deps, stay)
const opens = (changed: object = {}, keys = deps) =>
  verifyToken(keys, { ...ref, token, now, ...changed })

describe('T9 signed link to a confirmation', () => {
  it('opens its confirmation, and contains neither tenant nor personal data', () => {
    expect(opens()).toBe(true)
    expect(token).toMatch(/^1\.c2\.1796342400\.[\w-]{43}$/)
    const link = confirmationLink(deps, { ...stay, origin: 'http://kabul.localhost:8082' })
    expect(link).toBe(`http://kabul.localhost:8082/confirmation/${ref.reservationId}?t=${token}`)
  })

  it('opens no other confirmation and none of another tenant', () => {
    expect(opens({ reservationId: newId('rsv') })).toBe(false)
    expect(opens({ tenantId: newId('tnt') })).toBe(false)
    expect(opens({ tenantId: ref.reservationId, reservationId: ref.tenantId })).toBe(false)
  })

  it('ends 14 days after the stay', () => {
    expect(opens({ now: new Date('2026-12-03T23:59:59.999Z') })).toBe(true)
    expect(opens({ now: new Date('2026-12-04T00:00:00.000Z') })).toBe(false)
  })

  it('cannot be extended, signed by another key or sent under another key id', () => {
    const [version, keyId, expires, mac] = token.split('.')
    expect(opens({ token: [version, keyId, '1896428800', mac].join('.') })).toBe(false)
    expect(opens({ token: [version, 'c1', expires, mac].join('.') })).toBe(false)
    expect(opens({}, ringOf(`c2:active:${secret(3)}`))).toBe(false)
  })

  it('stays valid in grace, and ends when its key is retired', () => {
    const rotated = (state: string) => ringOf(`c3:active:${secret(3)},c2:${state}:${secret(2)}`)
    expect(opens({}, rotated('grace'))).toBe(true)
    expect(opens({}, rotated('retired'))).toBe(false)
  })

  it('is rejected after a change of any character', () => {
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const changed = token.slice(0, at) + other + token.slice(at + 1)
      expect(opens({ token: changed }), `character ${at}`).toBe(false)
    }
  })

  it.each([
    ['nothing', ''],
    ['white space', ` ${token}`],
    ['a line break', `${token}\n`],
    ['a part more', `${token}.x`],
    ['another version', token.replace(/^1/, '2')],
    ['a padded expiry', token.replace('.1796', '.01796')],
    ['padding', `${token}=`],
    ['a very long text', 'a'.repeat(100_000)],
  ])('is rejected: %s', (_what, text) => {
    expect(opens({ token: text })).toBe(false)
  })
})
