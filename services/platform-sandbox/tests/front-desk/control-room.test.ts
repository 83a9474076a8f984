import { eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visitPage } from '../control-room/visit-page.ts'
import { type Hotel } from '../no-oversell/hotel.ts'
import { GUEST } from '../no-oversell/quote.ts'
import {
  type RunningSandbox,
  sandboxEnvironment,
  send,
  startSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { makeTenant } from '../tenant/tenant-fixture.ts'
import { book, desk, openHouse } from './front-desk.ts'

let environment: TestEnvironment
let sandbox: RunningSandbox
let hotel: Hotel

beforeAll(async () => {
  environment = await sandboxEnvironment()
  sandbox = await startSandbox(environment)
  const { tenant } = await makeTenant(sandbox.url)
  hotel = await openHouse(environment, 3, tenant.tenantId)
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

const open = () => visitPage(sandbox.url, `/?tenant=${hotel.tenantId}&property=${hotel.propertyId}`)

async function bookTonight() {
  const stay = { checkIn: hotel.day(0), checkOut: hotel.day(1) }
  const reservationId = await book(environment, sandbox, { hotel, stay })
  const read = () => desk(sandbox).reservation.getStay({ params: { reservationId } }, hotel)
  return { reservationId, read, code: (await read()).code }
}

describe('the front desk in the control room', () => {
  it('checks a guest in, charges the folio, takes the payment and checks the guest out', async () => {
    const { code, read } = await bookTonight()
    const before = await open()
    expect(before.section('front-desk')).toContain(GUEST.fullName)
    const arrived = await before.press(`Check in ${code}`)
    expect(arrived.html).toContain('The guests are checked in.')
    expect(await read()).toMatchObject({ status: 'checked_in', rooms: [{ number: '1' }] })
    const withFolio = await eventually(async () => {
      const page = await open()
      expect(page.section('front-desk')).toContain('$84.00')
      return page
    })
    const charged = await withFolio.press(`Charge ${code}`)
    expect(charged.section('front-desk')).toContain('$94.00')
    const paid = await charged.press(`Pay ${code}`)
    expect(paid.section('front-desk')).toContain('$0.00')
    const left = await paid.press(`Check out ${code}`)
    expect(left.section('front-desk')).not.toContain(code)
    expect((await read()).status).toBe('checked_out')
  })

  it('records a guest who does not arrive, also for scripts', async () => {
    const { code, read } = await bookTonight()
    await (await open()).press(`No-show ${code}`)
    expect((await read()).status).toBe('no_show')
    const { reservationId } = await bookTonight()
    const path = `/admin/api/tenants/${hotel.tenantId}/reservations/${reservationId}`
    const recorded = await send(sandbox.url, 'POST', `${path}/no-show`, { json: {} })
    expect(recorded).toMatchObject({ status: 200, body: { status: 'no_show' } })
    const again = await send(sandbox.url, 'POST', `${path}/check-in`, { json: {} })
    expect(again.body['code']).toBe('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
  })
})
