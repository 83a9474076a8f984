import { expect, it } from 'vitest'
import { codeOfUuid, newReservationCode } from './reservation-code.ts'

const CODE = /^[2-9A-HJ-NP-Z]{8}$/

it('has eight characters that are not easily confused', () => {
  const codes = Array.from({ length: 2_000 }, () => newReservationCode())
  for (const code of codes) expect(code).toMatch(CODE)
  expect(new Set(codes).size).toBe(codes.length)
})

it('is derived from the last forty bits of an id for seeded reservations', () => {
  const uuid = '01890a5d-ac96-774b-bcce-b302099a8057'
  expect(codeOfUuid(uuid)).toBe(codeOfUuid(uuid))
  expect(codeOfUuid(uuid)).toMatch(CODE)
  expect(codeOfUuid(uuid.replace(/7$/, '8'))).not.toBe(codeOfUuid(uuid))
  expect(codeOfUuid('00000000-0000-0000-0000-000000000000')).toBe('22222222')
})
