import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ID_PREFIXES, type IdPrefix } from './id-prefixes.ts'
import { type Id, idPattern, idTimeMs, idToUuid, isId, newId, parseId, uuidToId } from './ids.ts'

const prefixes = Object.keys(ID_PREFIXES) as IdPrefix[]
const ULID = '01H8YN7QV4D8KZ4F8Y5CK4MV3D'

const badTenantIds: unknown[] = [
  undefined,
  null,
  0,
  {},
  [`tnt_${ULID}`],
  '',
  'tnt_',
  ULID,
  `TNT_${ULID}`,
  `tnt-${ULID}`,
  `ppt_${ULID}`,
  `tnt_session_${ULID}`,
  `tnt_${ULID.toLowerCase()}`,
  `tnt_${ULID.slice(1)}`,
  `tnt_${ULID}0`,
  `tnt_8${ULID.slice(1)}`,
  `tnt_${ULID.slice(0, -1)}I`,
  `tnt_${ULID.slice(0, -1)}L`,
  `tnt_${ULID.slice(0, -1)}O`,
  `tnt_${ULID.slice(0, -1)}U`,
  ` tnt_${ULID}`,
  `tnt_${ULID}\n`,
  `tnt_${ULID.slice(0, -1)}\u0661`,
]

describe('P1 ids', () => {
  it('P1 creates valid ids for every registered prefix', () => {
    for (const prefix of prefixes) {
      const id = newId(prefix)
      expect(isId(prefix, id)).toBe(true)
      expect(parseId(prefix, id)).toBe(id)
      expect(new RegExp(idPattern(prefix)).test(id)).toBe(true)
    }
  })

  it('P1 ids of one process are unique and sort in creation order', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('evt'))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.toSorted()).toEqual(ids)
  })

  it.each(badTenantIds)('P1 rejects %j as a tenant id', (value) => {
    expect(isId('tnt', value)).toBe(false)
    expect(() => parseId('tnt', value)).toThrow(TypeError)
  })

  it('P1 distinguishes a booking session from a tenant', () => {
    expect(isId('tnt_session', newId('tnt_session'))).toBe(true)
    expect(isId('tnt', newId('tnt_session'))).toBe(false)
    expect(isId('tnt_session', newId('tnt'))).toBe(false)
  })

  it('P1 rejects prefixes outside the registry', () => {
    expect(() => newId('nope' as IdPrefix)).toThrow(TypeError)
    expect(() => newId('toString' as IdPrefix)).toThrow(TypeError)
    expect(() => isId('__proto__' as IdPrefix, 'x')).toThrow(TypeError)
  })

  it('P1 never includes the rejected value in the error', () => {
    expect(() => parseId('tnt', 'secret-value')).toThrow(/^(?!.*secret-value)/)
  })
})

describe('P1 ids and uuid columns', () => {
  it('P1 id → uuid → id is the identity for any 128 bits', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...prefixes),
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        (prefix, bytes) => {
          const uuid = uuidOf(bytes)
          const id = uuidToId(prefix, uuid)
          expect(isId(prefix, id)).toBe(true)
          expect(idToUuid(id)).toBe(uuid)
          expect(uuidToId(prefix, uuid.toUpperCase())).toBe(id)
        },
      ),
    )
  })

  it('P1 uuids sort like their ids', () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 })
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const [x, y] = [uuidOf(a), uuidOf(b)]
        expect(uuidToId('evt', x) < uuidToId('evt', y)).toBe(x < y)
      }),
    )
  })

  it.each([
    ['evt_00000000000000000000000000', '00000000-0000-0000-0000-000000000000'],
    ['evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['tnt_session_00000000000000000000000001', '00000000-0000-0000-0000-000000000001'],
    ['evt_01ARZ3NDEKTSV4RRFFQ69G5FAV', '01563e3a-b5d3-d676-4c61-efb99302bd5b'],
  ])('P1 maps %s to %s', (id, uuid) => {
    expect(idToUuid(id as Id)).toBe(uuid)
  })

  it.each(['', 'x', ULID, `nope_${ULID}`, `evt_${ULID.toLowerCase()}`, `evt_8${ULID.slice(1)}`])(
    'P1 does not convert the id %j',
    (id) => {
      expect(() => idToUuid(id as Id)).toThrow(TypeError)
    },
  )

  it.each([
    '',
    '00000000-0000-0000-0000-00000000000',
    '00000000-0000-0000-0000-0000000000000',
    '00000000000000000000000000000000',
    '{00000000-0000-0000-0000-000000000000}',
    '00000000-0000-0000-0000-00000000000g',
    '00000000-0000-0000-0000-000000000000\n',
  ])('P1 rejects the uuid %j', (uuid) => {
    expect(() => uuidToId('evt', uuid)).toThrow(TypeError)
  })
})

function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
}

describe('the time of an id', () => {
  it('is the time of its creation', () => {
    const beforeMs = Date.now()
    const madeMs = idTimeMs(newId('tnt_session'))
    expect(madeMs).toBeGreaterThanOrEqual(beforeMs)
    expect(madeMs).toBeLessThanOrEqual(Date.now())
    expect(idTimeMs(parseId('tnt', `tnt_${ULID}`))).toBe(1_693_246_021_476)
  })
})
