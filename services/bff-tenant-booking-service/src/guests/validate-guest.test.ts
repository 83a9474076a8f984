import { isProblem, newId, type Problem } from '@melmastoon/domain'
import { KeyedHash, KeyRing, SealedBoxError } from '@melmastoon/security'
import { ReservationGuest } from '@melmastoon/upstream-contracts/reservation'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import type { GuestInput, GuestRules } from './guest-details.ts'
import { guestHashes } from './guest-hashes.ts'
import { maskedGuestView, ownGuestView } from './guest-view.ts'
import { reservationGuest } from './reservation-guest.ts'
import { openGuest, sealGuest } from './sealed-guest.ts'
import { validateGuest } from './validate-guest.ts'

const RULES: GuestRules = {
  flow: { optionalFields: ['phone', 'arrival-time', 'special-requests'] },
  country: 'AF',
  termsVersion: '7',
  now: new Date('2026-11-16T09:00:00Z'),
}
const INPUT: GuestInput = {
  fullName: ' زرغونه  انا ',
  email: 'Zarghuna@Example.COM',
  phone: '۰۷۰۰ ۱۲۳ ۴۵۶',
  country: 'AF',
  arrivalTime: '۲۲:۳۰',
  company: 'Ana & Daughters, 3 Ltd.',
  specialRequests: 'A quiet room\r\nplease',
  termsAccepted: true,
}
const GUEST = {
  fullName: 'زرغونه انا',
  email: 'Zarghuna@example.com',
  phone: '+93700123456',
  country: 'AF',
  arrivalTime: '22:30',
  company: 'Ana & Daughters, 3 Ltd.',
  specialRequests: 'A quiet room\nplease',
  terms: { version: '7', acceptedAt: '2026-11-16T09:00:00.000Z' },
}

function problemOf(input: GuestInput, rules = RULES): Problem {
  try {
    validateGuest(input, rules)
  } catch (error) {
    if (isProblem(error)) return error
    throw error
  }
  throw new TypeError('the details were accepted')
}

/** The rejection as `pointer code` pairs. */
function rejectionOf(input: GuestInput, rules = RULES): string[] {
  const rejection = problemOf(input, rules)
  expect(rejection).toMatchObject({ code: 'MELMASTOON.BFF.TENANT.DETAILS_INVALID', status: 422 })
  return (rejection.errors ?? []).map(({ pointer, code, detail }) => {
    expect(detail).not.toBe('')
    return `${pointer} ${code}`
  })
}

describe('T7 guest details', () => {
  it('normalises valid details', () => {
    expect(validateGuest(INPUT, RULES)).toEqual(GUEST)
  })

  it('omits what the guest left empty', () => {
    const empty = { phone: ' ', arrivalTime: '', company: '', specialRequests: ' \n ' }
    const { fullName, email, terms } = GUEST
    const { country: _none, ...input } = INPUT
    expect(validateGuest({ ...input, ...empty }, RULES)).toEqual({ fullName, email, terms })
  })

  it('reports every invalid field with its own code', () => {
    const wrong = {
      fullName: '!!!',
      email: 'zarghuna',
      phone: '0700',
      country: 'ZZ',
      arrivalTime: '25:00',
      company: 'a\u202eb',
      specialRequests: 'x'.repeat(1_001),
      termsAccepted: false,
    }
    expect(rejectionOf(wrong)).toEqual([
      '/guest/fullName characters',
      '/guest/email email',
      '/guest/phone phone',
      '/guest/country country',
      '/guest/arrivalTime time',
      '/guest/company direction_control',
      '/guest/specialRequests too_long',
      '/guest/termsAccepted terms',
    ])
  })

  it('never repeats a value in an error (SEC-L01)', () => {
    const canary = { fullName: 'Canary@1', email: 'canary-2', phone: 'canary-3', company: '\0can4' }
    const { message, errors } = problemOf({ ...INPUT, ...canary })
    expect(errors).toHaveLength(4)
    expect(JSON.stringify({ message, errors })).not.toMatch(/can[a4]/i)
  })

  it('requires a phone number unless the flow of the hotel lists it as optional', () => {
    const { phone: _absent, ...withoutPhone } = INPUT
    expect(validateGuest(withoutPhone, RULES)).not.toHaveProperty('phone')
    const required = { ...RULES, flow: { optionalFields: ['special-requests'] } }
    expect(rejectionOf(withoutPhone, required)).toEqual(['/guest/phone required'])
  })

  it('reads a national number for its region, else the guest’s country, else the hotel’s', () => {
    const { country: _absent, ...input } = { ...INPUT, phone: '0301 2345678' }
    const pakistani = { phone: '+923012345678' }
    expect(rejectionOf(input)).toEqual(['/guest/phone phone'])
    expect(validateGuest({ ...input, phoneRegion: 'PK' }, RULES)).toMatchObject(pakistani)
    expect(validateGuest({ ...input, country: 'PK' }, RULES)).toMatchObject(pakistani)
    expect(validateGuest(input, { ...RULES, country: 'PK' })).toMatchObject(pakistani)
  })
})

describe('T7 the guest of a reservation', () => {
  const isReservationGuest = Compile(ReservationGuest)

  it('has the form that the reservation service accepts', () => {
    const guest = reservationGuest(validateGuest(INPUT, RULES))
    expect(guest).toEqual({
      fullName: 'زرغونه انا',
      email: 'Zarghuna@example.com',
      phone: '+93700123456',
      arrivalTime: '22:30',
      specialRequests: 'A quiet room\nplease\nCompany: Ana & Daughters, 3 Ltd.',
    })
    expect(isReservationGuest.Check(guest)).toBe(true)
  })

  it('stays within its limits for the longest details', () => {
    const fullName = '𞤀'.repeat(120)
    const longest = { ...INPUT, fullName, company: undefined, specialRequests: '😀'.repeat(1_000) }
    const { company: _absent, ...input } = longest
    expect(isReservationGuest.Check(reservationGuest(validateGuest(input, RULES)))).toBe(true)
    expect(rejectionOf({ ...input, company: 'x' })).toEqual(['/guest/specialRequests too_long'])
  })
})

describe('T13 details at rest and in events', () => {
  const secret = (fill: number) => Buffer.alloc(32, fill).toString('base64url')
  const deps = { guestDataKeys: KeyRing.parse(`g1:active:${secret(1)}`) }
  const draft = { tenantId: newId('tnt'), draftId: newId('bdr') }

  it('are sealed for one draft of one tenant', () => {
    const box = sealGuest(deps, draft, GUEST)
    expect(box.toString('latin1')).not.toMatch(/zarghuna|700123456/i)
    expect(openGuest(deps, draft, box)).toEqual(GUEST)
    for (const other of [{ tenantId: newId('tnt') }, { draftId: newId('bdr') }]) {
      expect(() => openGuest(deps, { ...draft, ...other }, box)).toThrow(SealedBoxError)
    }
  })

  it('are hashed with the pepper, each kind apart, whatever the case', () => {
    const hashes = new KeyedHash(KeyRing.parse(`p1:active:${secret(2)}`))
    const hashed = guestHashes({ hashes }, GUEST)
    expect(hashed).toEqual({
      emailHash: hashes.hash('email:zarghuna@example.com'),
      phoneHash: hashes.hash('phone:+93700123456'),
      nameInitialsHash: hashes.hash('initials:زا'),
    })
    const { phone: _absent, ...without } = { ...GUEST, email: 'ZARGHUNA@example.com' }
    expect(guestHashes({ hashes }, without)).toEqual({ ...hashed, phoneHash: null })
  })
})

describe('T13 views', () => {
  it('show the details to the own session, and a part to others', () => {
    const { terms: _unshown, ...shown } = GUEST
    expect(ownGuestView(GUEST)).toEqual({ isMasked: false, ...shown })
    const latin = { ...GUEST, fullName: "Anne-Marie d'Arc" }
    expect(maskedGuestView(latin)).toEqual({
      isMasked: true,
      fullName: 'A. d.',
      email: 'Z•••@e•••.com',
      phone: '+9•••56',
    })
  })
})
