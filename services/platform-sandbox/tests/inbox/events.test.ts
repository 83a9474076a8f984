import { newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { aiContract } from '@melmastoon/upstream-contracts/ai'
import { maintenanceContract } from '@melmastoon/upstream-contracts/maintenance'
import { notificationContract } from '@melmastoon/upstream-contracts/notification'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visitPage } from '../control-room/visit-page.ts'
import { type Inbox, newActor, serveInbox } from './serve-inbox.ts'

let inbox: Inbox

beforeAll(async () => {
  inbox = await serveInbox({ SUGGESTION_SECONDS: '0' })
})
afterAll(() => inbox[Symbol.asyncDispose]())

const own = () => ({ tenantId: inbox.hotel.tenantId, idempotencyKey: newId('req') })
const params = () => ({ propertyId: inbox.hotel.propertyId })

async function createOrder(severity: 'normal' | 'critical', roomIndex: number) {
  const rooms = inbox.hotel.roomTypes.flatMap((roomType) => roomType.rooms)
  const roomId = rooms[roomIndex]?.roomId
  if (roomId === undefined) throw new TypeError('the hotel has too few rooms')
  const body = {
    roomId,
    category: 'plumbing' as const,
    severity,
    title: 'A pipe leaks',
    source: 'manual_staff' as const,
    blocksRoom: true,
    actor: newActor(),
  }
  const orders = inbox.client(maintenanceContract)
  return await orders.createWorkOrder({ params: params(), body }, own())
}

describe('a work order', () => {
  it('that is critical raises an alert, and one that blocks a room a suggestion', async () => {
    const critical = await createOrder('critical', 0)
    const normal = await createOrder('normal', 1)
    const alerts = inbox.client(notificationContract)
    await eventually(async () => {
      const listed = await alerts.listAlerts({ params: params(), query: { state: 'open' } }, own())
      const found = listed.alerts.filter(({ category }) => category === 'maintenance_critical')
      expect(found.map(({ resourceId }) => resourceId)).toEqual([critical.workOrderId])
    })
    await eventually(async () => {
      const query = { class: 'mt' as const }
      const listed = await inbox
        .client(aiContract)
        .listSuggestions({ params: params(), query }, own())
      expect(listed.suggestions.map(({ proposal }) => proposal)).toEqual([
        {
          kind: 'maintenance_priority',
          workOrderId: normal.workOrderId,
          currentPriority: 'normal',
          proposedPriority: 'high',
        },
      ])
    })
  })
})

describe('the control room', () => {
  it('raises an alert, and proposes, withdraws and expires suggestions', async () => {
    const view = `/?tenant=${inbox.hotel.tenantId}&property=${inbox.hotel.propertyId}`
    const raised = await (await visitPage(inbox.url, view)).press('Raise the alert')
    expect(raised.section('alerts')).toContain('<code>late_arrival</code>')
    const once = await raised.press('Propose the suggestion')
    const twice = await once.press('Propose the suggestion')
    const [first, second] = [
      ...twice.section('suggestions').matchAll(/Withdraw<span class="unseen"> (sug_\w+)</g),
    ].map((match) => match[1])
    const withdrawn = await twice.press(`Withdraw ${first}`)
    const expired = await withdrawn.press(`Expire ${second}`)
    const section = expired.section('suggestions')
    expect(section).toContain('<span class="badge plain">withdrawn</span>')
    expect(section).toContain('<span class="badge plain">expired</span>')
  })
})
