import { setTimeout } from 'node:timers/promises'
import type { components } from '../../../services/bff-backoffice-service/contracts/openapi.d.ts'
import { showAmount } from '../guest/demo.ts'
import { expectThat } from '../shared/demo-failure.ts'
import type { StaffDemo } from './demo.ts'
import type { LiveEvents } from './live-events.ts'
import { isReadyToArrive, type StaffMember, V1 } from './staff-member.ts'

type Schemas = components['schemas']
export type Stay = Schemas['StayRow']
export type CheckedIn = Schemas['ChangedStay']

/** Lines arrive one by one; the first one before any upstream has responded. */
export async function readDashboard(
  { say, watch }: StaffDemo,
  { device, propertyId }: StaffMember,
): Promise<void> {
  const startedMs = performance.now()
  const response = await device.fetch(`/dashboard?propertyId=${propertyId}`)
  expectThat(response.ok && response.body !== null, `the dashboard: ${response.status}`)
  let text = ''
  let firstMs: number | undefined
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    firstMs ??= performance.now() - startedMs
    text += part
  }
  watch(performance.now() - startedMs)
  const lines = text.trim().split('\n').map(toLine)
  const widgets = lines.filter(({ type }) => type === 'widget')
  expectThat(lines.at(-1)?.type === 'end', 'the dashboard is truncated')
  say.step('Read the dashboard as it is composed')
  say.detail(`first line after ${Math.round(firstMs ?? 0)} ms`)
  say.detail(widgets.map(({ id, status }) => `${id} ${status}`).join(', '))
}

interface Line {
  readonly type: string
  readonly id?: string
  readonly status?: string
}

const toLine = (text: string) => JSON.parse(text) as Line

/** An arrival whose room is ready. */
export async function chooseArrival({ say }: StaffDemo, desk: StaffMember): Promise<Stay> {
  const query = { propertyId: desk.propertyId, limit: 200 }
  const { data } = await desk.api.GET(`${V1}/arrivals`, { params: { query } })
  say.step(`Read the arrivals of ${data.businessDate}: ${data.page.total}, from ${data.source}`)
  for (const stay of data.rows.slice(0, 3)) say.detail(showStay(stay))
  const chosen = data.rows.find(isReadyToArrive)
  expectThat(chosen !== undefined, 'no arrival has a room that is ready: npm start -- --fresh')
  return chosen
}

function showStay({ code, guest, party, rooms, readiness, eta }: Stay): string {
  const room = rooms.map(({ number }) => number).join(', ') || 'no room'
  const people = `${party.adults} + ${party.children}`
  return `${code} ${guest?.fullName ?? ''}, ${people}, room ${room}, ${readiness}, ${eta ?? 'no time'}`
}

export async function checkIn(
  { say }: StaffDemo,
  desk: StaffMember,
  stay: Stay,
): Promise<CheckedIn> {
  const { data } = await desk.api.POST(`${V1}/reservations/{reservationId}/check-in`, {
    params: { path: { reservationId: stay.id } },
    body: { expectedVersion: stay.version },
  })
  say.step(`Check ${stay.guest?.fullName ?? stay.code} in`)
  const rooms = data.rooms.map(({ number }) => number).join(', ')
  say.detail(`${data.status}, room ${rooms}, version ${stay.version} → ${data.version}`)
  return data
}

/** What every other device of the hotel receives, too. */
export async function seeCheckIn(
  { say }: StaffDemo,
  events: LiveEvents,
  { reservationId }: CheckedIn,
): Promise<void> {
  const { event, data } = await events.next(
    (each) => each.data['reservationId'] === reservationId,
    `of ${reservationId}`,
  )
  say.step('Receive the change on the stream')
  say.detail(`${event}: ${JSON.stringify(data)}`)
}

const FOLIO_LOOKS = 10
const LOOK_AGAIN_MS = 500

/** While the billing service does not respond in time, the board is shown without folios. */
async function findFolio(desk: StaffMember, folioId: CheckedIn['folioId']) {
  const query = { propertyId: desk.propertyId, limit: 200 }
  for (let look = 0; look < FOLIO_LOOKS; look += 1) {
    const { data: board } = await desk.api.GET(`${V1}/in-house`, { params: { query } })
    const own = board.rows.find((row) => row.folioId !== undefined && row.folioId === folioId)
    const found = own ?? board.rows.find((row) => row.folioId !== undefined)
    if (found !== undefined) return found
    await setTimeout(LOOK_AGAIN_MS)
  }
  return undefined
}

export async function postCharge(
  { say }: StaffDemo,
  desk: StaffMember,
  { folioId }: CheckedIn,
): Promise<void> {
  const folio = await findFolio(desk, folioId)
  expectThat(folio?.folioId !== undefined, 'no guest has a folio')
  const currency = (folio.balance?.currency ?? 'AFN') as 'AFN'
  const { data } = await desk.api.POST(`${V1}/folios/{folioId}/charges`, {
    params: { path: { folioId: folio.folioId } },
    body: { amount: { amount: 500, currency }, category: 'laundry', description: 'Two shirts' },
  })
  say.step('Charge the laundry to the room')
  const balance = { amountMinor: data.balance.amount, currency: data.balance.currency }
  say.detail(`${data.chargeId}: balance ${showAmount(balance)}`)
}
