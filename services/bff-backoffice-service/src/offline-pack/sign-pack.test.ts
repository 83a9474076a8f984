import { generateKeyPairSync } from 'node:crypto'
import { type IsoDate, newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { signPack } from './sign-pack.ts'

const key = { key: generateKeyPairSync('ed25519').privateKey, kid: 'test' }
const request = {
  propertyId: newId('ppt'),
  operator: {
    tenantId: newId('tnt'),
    operatorId: newId('opr'),
    deviceId: newId('dev'),
    sessionId: newId('bos'),
    jkt: 'thumbprint',
    roles: ['front_desk'] as const,
    isLead: false,
    properties: '*' as const,
    tokenExpiresAt: new Date(0),
  },
}

function claimsOf(sizes: readonly number[]) {
  const parts = sizes.map((size, at) => ({
    name: `list${at}`,
    json: JSON.stringify(['x'.repeat(size)]),
  }))
  const content = {
    businessDate: '2026-11-16' as IsoDate,
    parts,
    degraded: [],
    missing: ['keys'],
  }
  const { pack } = signPack(key, request, { content, now: new Date(0) })
  const payload = Buffer.from(pack.split('.')[1] ?? '', 'base64url').toString()
  const claims = JSON.parse(payload) as { lists: object; omitted: string[] }
  return { lists: Object.keys(claims.lists), omitted: claims.omitted }
}

describe('the size of a pack', () => {
  it('omits a list that is too large, and no smaller one after it', () => {
    expect(claimsOf([100, 900_000, 100])).toEqual({
      lists: ['list0', 'list2'],
      omitted: ['keys', 'list1'],
    })
  })

  it('counts all lists together', () => {
    expect(claimsOf([500_000, 500_000]).omitted).toEqual(['keys', 'list1'])
  })
})
