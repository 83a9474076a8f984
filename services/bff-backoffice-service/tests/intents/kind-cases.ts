import { describe, expect, it } from 'vitest'
import { type IntentDevice, verdictOf } from './intent-device.ts'
import { expecting, rowsOf, shared } from './intent-fixture.ts'

describe('kinds of intents', () => {
  it('report a defect and resolve it', async () => {
    const { lead, desk, manager } = shared
    const [room] = await rowsOf('housekeeping')
    const roomId = String(room?.['id'])
    const args = { category: 'structural', severity: 'high', title: 'Cracked window' }
    const issue = lead.intent('room.report_issue', roomId, { args })
    const second = desk.intent('room.report_issue', roomId, { args })
    expect((await lead.submit([issue])).map(verdictOf)).toEqual(['applied'])
    const [found] = await desk.submit([second])
    expect(found).toMatchObject({ verdict: 'already_done', by: lead.tokens.operatorId })
    const orders = await rowsOf('maintenance')
    const order = orders.find((row) => row['roomId'] === roomId && row['title'] === args.title)
    const resolve = manager.intent('work_order.resolve', String(order?.['id']), {
      ...expecting(Number(order?.['version'])),
      args: { resolution: 'Replaced' },
    })
    expect((await manager.submit([resolve])).map(verdictOf)).toEqual(['applied'])
  })

  it('check guests in and out', async () => {
    const { desk } = shared
    const stay = (await rowsOf('arrivals')).find((row) => row['readiness'] === 'ready')
    const version = Number(stay?.['version'])
    const id = String(stay?.['id'])
    const results = await desk.submit([
      desk.intent('reservation.check_in', id, expecting(version)),
      desk.intent('reservation.check_in', id, expecting(version)),
      desk.intent('reservation.check_out', id, expecting(version + 1)),
    ])
    expect(results.map(verdictOf)).toEqual(['applied', 'already_done', 'applied'])
  })

  it('acknowledge an alert', async () => {
    const { manager, propertyId } = shared
    const alerts = await manager.read<{ rows: { alertId: string }[] }>(
      `/alerts?propertyId=${propertyId}`,
    )
    const alertId = String(alerts.body.rows[0]?.alertId)
    const acknowledge = () =>
      manager.intent('alert.acknowledge', alertId, { args: { note: 'Seen' } })
    const results = await manager.submit([acknowledge(), acknowledge()])
    expect(results.map(verdictOf)).toEqual(['applied', 'already_done'])
  })

  it('save preferences', async () => {
    const { lead, propertyId } = shared
    const save = (version: number, columns: number) =>
      lead.intent('preferences.update', propertyId, {
        ...expecting(version),
        args: { payload: { columns } },
      })
    const saved = await lead.submit([save(0, 3), save(0, 3), save(0, 4), save(1, 4)])
    expect(saved.map(verdictOf)).toEqual(['applied', 'already_done', 'superseded', 'applied'])
  })

  it('decide on a suggestion', async () => {
    const { manager, propertyId } = shared
    const listed = await manager.read<{ rows: { suggestionId: string; state: string }[] }>(
      `/ai/suggestions?propertyId=${propertyId}`,
    )
    const open = listed.body.rows.find(({ state }) => state === 'proposed')
    const decide = (device: IntentDevice, outcome: string) =>
      device.intent('suggestion.decide', String(open?.suggestionId), { args: { outcome } })
    const decided = await manager.submit([
      decide(manager, 'rejected'),
      decide(manager, 'rejected'),
      decide(manager, 'accepted'),
    ])
    expect(decided.map(verdictOf)).toEqual(['applied', 'already_done', 'superseded'])
  })
})
