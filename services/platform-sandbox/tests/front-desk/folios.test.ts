import { type FolioId, idToUuid, newId, type ReservationId, uuidToId } from '@melmastoon/domain'
import { eventually, expectValidEvents } from '@melmastoon/testkit'
import type { FolioStatus } from '@melmastoon/upstream-contracts/billing'
import { paymentContract } from '@melmastoon/upstream-contracts/payment'
import { describe, expect, it } from 'vitest'
import { type Hotel } from '../no-oversell/hotel.ts'
import { TOTAL } from '../no-oversell/quote.ts'
import {
  clientFor,
  contracts,
  type RunningSandbox,
  rejectionOf,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { makeTenant } from '../tenant/tenant-fixture.ts'
import { useSandbox } from '../use-sandbox.ts'
import { book, desk, openHouse, staff } from './front-desk.ts'

let environment: TestEnvironment
let sandbox: RunningSandbox
useSandbox((started) => ({ environment, sandbox } = started))

const CODE = 'MELMASTOON.BILLING.'
const usd = (units: number) => ({
  amountMicro: String(units * 1_000_000),
  currency: 'USD' as const,
})
const folioOf = (reservationId: ReservationId): FolioId => uuidToId('fol', idToUuid(reservationId))
const callOf = ({ tenantId }: Hotel) => ({ tenantId, idempotencyKey: newId('req') })

interface Guest {
  readonly hotel: Hotel
  readonly reservationId: ReservationId
  readonly params: { readonly folioId: FolioId }
}

async function makeGuest(tenantId = newId('tnt')): Promise<Guest> {
  const hotel = await openHouse(environment, 1, tenantId)
  const stay = { checkIn: hotel.day(0), checkOut: hotel.day(1) }
  const reservationId = await book(environment, sandbox, { hotel, stay })
  const guest = { hotel, reservationId, params: { folioId: folioOf(reservationId) } }
  await untilFolio(guest, 'pending')
  return guest
}

const untilFolio = ({ hotel, params }: Guest, status: FolioStatus) =>
  eventually(async () => {
    const folio = await desk(sandbox).billing.getFolio({ params }, hotel)
    expect(folio.status).toBe(status)
    return folio
  })

async function checkIn(guest: Guest) {
  const { hotel, reservationId } = guest
  const body = { roomIds: [...hotel.roomIds], ...staff() }
  const { reservation } = desk(sandbox)
  await reservation.checkIn({ params: { reservationId }, body }, callOf(hotel))
  return await untilFolio(guest, 'open')
}

const charge = ({ hotel, params }: Guest, more: object = {}, scenario?: string) => {
  const body = { amount: usd(5), category: 'minibar', description: 'Tea', ...staff(), ...more }
  const { billing } = desk(sandbox, scenario)
  return billing.postCharge({ params, body: body as never }, callOf(hotel))
}

const pay = ({ hotel, params }: Guest, units: number) => {
  const body = { amount: usd(units), method: 'cash' as const, ...staff() }
  return desk(sandbox).billing.recordPayment({ params, body }, callOf(hotel))
}

const close = ({ hotel, params }: Guest) =>
  desk(sandbox).billing.closeFolio({ params, body: staff() }, callOf(hotel))

describe('a folio', () => {
  it('follows its stay: pending, open, balance due, settled, closed', async () => {
    const guest = await makeGuest()
    const { hotel, reservationId } = guest
    const opened = await checkIn(guest)
    expect(opened).toMatchObject({ balance: TOTAL, charges: [{ category: 'room' }] })
    expect((await charge(guest, { expectedVersion: opened.version })).folio.balance).toEqual(
      usd(89),
    )
    expect((await pay(guest, 80)).folio).toMatchObject({ status: 'open', balance: usd(9) })
    const { reservation } = desk(sandbox)
    const params = { reservationId }
    expect((await reservation.getStay({ params }, hotel)).folioId).toBe(guest.params.folioId)
    await reservation.checkOut({ params, body: staff() }, callOf(hotel))
    await untilFolio(guest, 'balance_due')
    expect(await rejectionOf(close(guest))).toBe(`${CODE}ILLEGAL_TRANSITION`)
    expect((await pay(guest, 9)).folio.status).toBe('settled')
    expect((await charge(guest)).folio.status).toBe('balance_due')
    expect((await pay(guest, 5)).folio.status).toBe('settled')
    const closed = await close(guest)
    expect(closed.history.map(({ status }) => status)).toEqual([
      'pending',
      'open',
      'open',
      'open',
      'balance_due',
      'settled',
      'balance_due',
      'settled',
      'closed',
    ])
    expect(await rejectionOf(charge(guest))).toBe(`${CODE}FOLIO_CLOSED`)
    const query = { reservationIds: reservationId }
    const list = { params: { propertyId: hotel.propertyId }, query }
    const { folios } = await desk(sandbox).billing.listFolios(list, hotel)
    expect(folios).toMatchObject([{ status: 'closed', balance: usd(0), charged: usd(94) }])
    expect((await expectValidEvents(environment.adminUrl, contracts)).length).toBeGreaterThan(8)
  })

  it('charges a cause once, also with another idempotency key', async () => {
    const guest = await makeGuest()
    const { hotel, params } = guest
    const { causationId } = staff()
    const calls = Array.from({ length: 4 }, () => charge(guest, { causationId }))
    const charges = (await Promise.all(calls)).map((posted) => posted.charge.chargeId)
    expect(new Set(charges).size).toBe(1)
    const { billing } = desk(sandbox)
    const found = await billing.findCharge({ params: { ...params, causationId } }, hotel)
    expect(found.chargeId).toBe(charges[0])
    expect((await billing.getFolio({ params }, hotel)).balance).toEqual(usd(89))
    const unknown = billing.findCharge({ params: { ...params, causationId: newId('int') } }, hotel)
    expect(await rejectionOf(unknown)).toBe(`${CODE}CHARGE_NOT_FOUND`)
  })

  it('counts all of many concurrent charges', async () => {
    const guest = await makeGuest()
    const calls = Array.from({ length: 8 }, () => charge(guest))
    const versions = (await Promise.all(calls)).map(({ folio }) => folio.version)
    expect(versions.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
    const { balance } = await untilFolio(guest, 'pending')
    expect(balance).toEqual(usd(124))
  })

  it('rejects another currency, no amount, an old version and an unknown folio', async () => {
    const guest = await makeGuest()
    const unknown = { ...guest, params: { folioId: newId('fol') } }
    const elsewhere = { ...guest, hotel: { ...guest.hotel, tenantId: newId('tnt') } }
    const rejections = [
      [() => charge(guest, { amount: { ...usd(1), currency: 'AFN' } }), 'CURRENCY_MISMATCH'],
      [() => charge(guest, { amount: usd(-1) }), 'NEGATIVE_AMOUNT'],
      [() => pay(guest, 0), 'NEGATIVE_AMOUNT'],
      [() => charge(guest, { expectedVersion: 7 }), 'VERSION_CONFLICT'],
      [() => charge(unknown), 'FOLIO_NOT_FOUND'],
      [() => charge(elsewhere), 'FOLIO_NOT_FOUND'],
      [() => charge(guest, {}, 'folio-closed'), 'FOLIO_CLOSED'],
    ] as const
    for (const [call, code] of rejections) expect(await rejectionOf(call())).toBe(CODE + code)
  })

  it('of guests who do not arrive is closed without charges', async () => {
    const guest = await makeGuest()
    const { hotel, reservationId } = guest
    const absent = { params: { reservationId }, body: staff() }
    await desk(sandbox).reservation.markNoShow(absent, callOf(hotel))
    const closed = await untilFolio(guest, 'closed')
    expect(closed.charged).toEqual(usd(0))
    expect(closed.charges).toMatchObject([{ voidedAt: expect.any(String) }])
  })

  it('includes payments through the payment service', async () => {
    const { tenant } = await makeTenant(sandbox.url)
    const guest = await makeGuest(tenant.tenantId)
    const { hotel, reservationId } = guest
    const payments = clientFor(paymentContract, sandbox.url)
    const body = { reservationId, draftRef: 'desk', method: 'card', amount: usd(84) } as const
    const card = {
      captureMode: 'automatic',
      cardToken: 'tok_ok',
      returnUrl: 'https://example.com/',
    } as const
    await payments.createIntent({ body: { ...body, ...card } }, callOf(hotel))
    await eventually(async () => {
      const { paid, payments: entries } = await untilFolio(guest, 'pending')
      expect([paid, entries[0]?.method]).toEqual([usd(84), 'card'])
    })
  })
})
