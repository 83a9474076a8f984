import { createDeadline } from '@melmastoon/chassis/clock'
import { newTrace } from '@melmastoon/chassis/telemetry'
import { newId, type PropertyId, parseId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operator } from '../../src/access/operator.ts'
import { intentDecided } from '../../src/events/intent-events.ts'
import { registry } from '../../src/events/registry.ts'
import type { IntentStore } from '../../src/intents/intent-store.ts'
import { submitIntents } from '../../src/intents/submit-intents.ts'
import { activityOf } from '../activity/activity-fixture.ts'
import { type Backoffice, startWithSandbox } from '../harness/start-backoffice.ts'
import { type IntentDevice, intentDevice, type TestIntent, verdictOf } from './intent-device.ts'
import { runStoreScript, runUpstreamScript } from './simulation/conformance.ts'
import { FakeHotel } from './simulation/fake-hotel.ts'
import { MemoryIntentTable } from './simulation/memory-intent-store.ts'
import { simulatedOperator } from './simulation/simulate.ts'

interface BoardTask {
  readonly taskId: string
  readonly status: string
  readonly version: number
}

let office: Backoffice
let lead: IntentDevice
let other: IntentDevice
let desk: IntentDevice
let propertyId: string
let vacant: string[]
let folio: { readonly folioId: string; readonly currency: string }

beforeAll(async () => {
  office = await startWithSandbox({ withFaults: true })
  ;[lead, other, desk] = await Promise.all([
    intentDevice(office, 'housekeeping-lead'),
    intentDevice(office, 'manager'),
    intentDevice(office, 'desk'),
  ])
  propertyId = await desk.propertyId()
  const rooms = await rowsOf('housekeeping')
  vacant = rooms.flatMap(({ id, occupancy }) => (occupancy === 'vacant' ? [String(id)] : []))
  const stays = await rowsOf('in-house')
  const { folioId, balance } = stays.find((row) => row['folioStatus'] === 'open') ?? {}
  folio = { folioId: String(folioId), currency: (balance as { currency: string }).currency }
})
afterAll(() => office[Symbol.asyncDispose]())

async function rowsOf(board: string) {
  const path = `/${board}?propertyId=${propertyId}`
  return (await desk.read<{ rows: Record<string, unknown>[] }>(path)).body.rows
}

const KINDS = ['deep_clean', 'post_maintenance', 'post_renovation', 'mid_stay_clean'] as const
let created = 0

/** A task that no other test uses. */
async function nextTask(): Promise<BoardTask> {
  const { ctx } = office.service
  const { tenantId, operatorId, deviceId } = other.tokens
  const kind = KINDS[created % KINDS.length] ?? 'deep_clean'
  const roomId = vacant[Math.floor(created / KINDS.length)]
  created += 1
  using deadline = createDeadline(5_000)
  const body = { roomId: parseId('rmu', roomId), kind, actor: { operatorId, deviceId } }
  return await ctx.upstreams.housekeeping.createTask(
    { params: { propertyId: parseId('ppt', propertyId) }, body },
    { tenantId, deadline, trace: newTrace(), idempotencyKey: newId('req') },
  )
}

function operatorOf({ tokens, jkt }: IntentDevice): Operator {
  const { tenantId, operatorId, deviceId, sessionId } = tokens
  const ids = { tenantId, operatorId, deviceId, sessionId, jkt }
  const tokenExpiresAt = new Date(Date.now() + 600_000)
  return { ...ids, roles: ['housekeeping'], isLead: true, properties: '*', tokenExpiresAt }
}

const query = <R extends object>(text: string, values: unknown[] = []) =>
  office.environment.query<R>(text.replaceAll('$schema', office.environment.schema), values)

const expecting = (version: number) => ({ expect: { version } })
const start = ({ taskId, version }: BoardTask, device = lead, more: Partial<TestIntent> = {}) =>
  device.intent('task.start', taskId, { ...expecting(version), ...more })
const complete = (taskId: string, version: number, device = lead, more: Partial<TestIntent> = {}) =>
  device.intent('task.complete', taskId, { ...expecting(version), ...more })

const chargeOf = (device: IntentDevice, amount = 700, more: Partial<TestIntent> = {}) =>
  device.intent('folio.post_charge', folio.folioId, {
    expect: { currency: folio.currency },
    args: { amount, category: 'minibar', description: 'Water' },
    ...more,
  })

const chargesOf = async (intent: TestIntent) => {
  const rows = await office.sandbox.environment.query<{ n: number }>(
    `select count(*)::int as n from ${office.sandbox.environment.schema}.billing_charge
     where causation_id like $1`,
    [`${intent.intentId}%`],
  )
  return rows[0]?.n
}

describe('verdicts', () => {
  it('settles the intents of a resource by number, whatever their order in the request', async () => {
    const task = await nextTask()
    const first = start(task)
    const second = complete(task.taskId, task.version + 1)
    const third = lead.intent('task.inspect', task.taskId, expecting(task.version + 2))
    const results = await lead.submit([third, second, first])
    expect(results.map(verdictOf)).toEqual(['applied', 'applied', 'applied'])
    expect(results.map(({ intentId }) => intentId)).toEqual([
      third.intentId,
      second.intentId,
      first.intentId,
    ])
  })

  it('STAFF-INT-02 an intent that is sent again has no effect and keeps its verdict', async () => {
    const charge = chargeOf(desk)
    const twice = await desk.submit([charge, charge])
    expect(twice.map((each) => [each.verdict, each.replayed])).toEqual([
      ['applied', false],
      ['applied', true],
    ])
    // A task that is not started cannot be completed: rejected, also after it was started.
    const task = await nextTask()
    const early = complete(task.taskId, task.version)
    const [rejected] = await lead.submit([early])
    expect(rejected).toMatchObject({
      verdict: 'rejected',
      code: 'MELMASTOON.HOUSEKEEPING.ROOM_STATE_CONFLICT',
      next: 'retry_online',
    })
    expect((await lead.submit([start(task)])).map(verdictOf)).toEqual(['applied'])
    await query(
      `update $schema.offline_intent_verdict set received_at = received_at - interval
      '8 days' where intent_id = $1 and verdict is null`,
      [early.intentId],
    )
    await query('delete from $schema.idempotency')
    const [again] = await lead.submit([early])
    expect(again).toEqual({ ...rejected, replayed: true })
    expect((await desk.submit([charge])).map(({ replayed }) => replayed)).toEqual([true])
    expect(await chargesOf(charge)).toBe(1)

    // The control: without the table the same intent gets another verdict.
    await query('delete from $schema.offline_intent_verdict where intent_id = $1', [early.intentId])
    expect((await lead.submit([early])).map(verdictOf)).toEqual(['superseded'])
  })

  it('STAFF-INT-04 an invalid intent does not block the others', async () => {
    const task = await nextTask()
    const results = await lead.submit([
      7,
      { intentId: 'no id' },
      lead.intent('task.complete', task.taskId, { expect: { version: 'seven' } }),
      lead.intent('no.such_intent', task.taskId),
      lead.intent('task.start', folio.folioId, expecting(1)),
      lead.intent('task.start', newId('hkt'), expecting(1)),
      start(task),
    ])
    expect(
      results.map(({ verdict, code, next }) => [verdict, code?.split('.').at(-1), next]),
    ).toEqual([
      ...Array.from({ length: 5 }, () => ['rejected', 'VALIDATION_FAILED', 'fix']),
      ['rejected', 'RESOURCE_NOT_FOUND', 'drop'],
      ['applied', undefined, undefined],
    ])
  })

  it('STAFF-INT-05, STAFF-INT-06 another was faster: it says who and when', async () => {
    const task = await nextTask()
    expect((await other.submit([start(task, other)])).map(verdictOf)).toEqual(['applied'])
    const [same] = await lead.submit([start(task)])
    expect(same).toMatchObject({ verdict: 'already_done', by: other.tokens.operatorId })
    const [late] = await lead.submit([complete(task.taskId, task.version)])
    expect(late).toMatchObject({
      verdict: 'superseded',
      by: other.tokens.operatorId,
      current: { status: 'in_progress', version: task.version + 1 },
    })
    expect(Date.parse(late?.at ?? '')).toBeGreaterThan(Date.now() - 60_000)
    // The control: the version that the device should have seen.
    const [current] = await lead.submit([complete(task.taskId, task.version + 1)])
    expect(verdictOf(current)).toBe('applied')
  })

  it('STAFF-INT-07 is pending while an upstream is down, then has one verdict', async () => {
    const task = await nextTask()
    const intents = [start(task, other), complete(task.taskId, task.version + 1, other)]
    const charge = chargeOf(other)
    const same = { idempotencyKey: newId('req'), sentAt: new Date() }
    office.faults.set('housekeeping', 'down')
    const held = await other.submit([...intents, charge], same)
    office.faults.clear()
    expect(held.map(verdictOf)).toEqual(['pending', 'pending', 'applied'])
    await eventually(async () => {
      const [first] = await other.submit(intents.slice(0, 1))
      expect(verdictOf(first)).toBe('applied')
    })
    const settled = await other.submit([...intents, charge], same)
    expect(settled.map((each) => [each.verdict, each.replayed])).toEqual([
      ['applied', true],
      ['applied', false],
      ['applied', true],
    ])
    const replay = await other.submit([...intents, charge], same)
    expect(replay).toEqual(settled)
  })

  it('STAFF-INT-08 what depends on a rejected intent is rejected', async () => {
    const task = await nextTask()
    const broken = lead.intent('task.start', task.taskId, { expect: { version: 'x' } })
    const dependent = start(task, lead, { dependsOn: broken.intentId })
    const third = chargeOf(lead, 100, { dependsOn: dependent.intentId })
    const unknown = start(await nextTask(), lead, { dependsOn: newId('int') })
    const self = newId('int')
    const cyclic = start(await nextTask(), lead, { intentId: self, dependsOn: self })
    const results = await lead.submit([third, dependent, broken, unknown, cyclic])
    const code = 'MELMASTOON.BFF.BACKOFFICE.INTENT_DEPENDENCY_FAILED'
    expect(results.map((each) => each.code ?? each.verdict)).toEqual([
      'MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN',
      code,
      'MELMASTOON.GENERAL.VALIDATION_FAILED',
      code,
      code,
    ])
    // The control: a dependency that was applied, in an earlier batch.
    const first = start(task)
    await lead.submit([first])
    const next = complete(task.taskId, task.version + 1, lead, { dependsOn: first.intentId })
    expect((await lead.submit([next])).map(verdictOf)).toEqual(['applied'])
  })

  it.each([-3, 3])(
    'STAFF-INT-09 a clock that is wrong by %i days decides nothing',
    async (days) => {
      const task = await nextTask()
      const wrong = (ms: number) => new Date(Date.now() + days * 86_400_000 + ms)
      const occurredAt = wrong(-60_000).toISOString()
      const intents = [
        start(task, lead, { occurredAt }),
        complete(task.taskId, task.version + 1, lead, { occurredAt: new Date().toISOString() }),
        complete(task.taskId, task.version, lead, { occurredAt }),
      ]
      const results = await lead.submit(intents, { sentAt: wrong(0), bootId: `boot${days}` })
      expect(results.map(verdictOf)).toEqual(['applied', 'applied', 'already_done'])
      expect(results.every(({ clockSuspect }) => clockSuspect)).toBe(true)
      const shown = results.map((each) => Date.parse(each.occurredAt ?? '') - Date.now())
      expect(Math.max(...shown)).toBeLessThanOrEqual(0)
      expect(Math.min(...shown)).toBeGreaterThan(-3_600_000)
    },
  )

  it('rejects what is older than seven days, also after an earlier batch', async () => {
    const fresh = await intentDevice(office, 'housekeeper')
    const occurredAt = new Date(Date.now() - 7.1 * 86_400_000).toISOString()
    const old = async () => start(await nextTask(), fresh, { occurredAt })
    const results = [...(await fresh.submit([await old()])), ...(await fresh.submit([await old()]))]
    const code = 'MELMASTOON.BFF.BACKOFFICE.INTENT_EXPIRED'
    expect(results).toMatchObject([
      { verdict: 'rejected', code },
      { verdict: 'rejected', code },
    ])
    // The time that is shown is not before the last contact.
    expect(Date.parse(results[1]?.occurredAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
    // The control: a clock that was set since proves nothing.
    const suspect = await fresh.submit([await old()], { bootId: 'boot-2' })
    expect(suspect.map(verdictOf)).toEqual(['applied'])
  })

  it('stores no verdict on an unknown name, which a later version may know', async () => {
    const unknown = lead.intent('no.such_intent', (await nextTask()).taskId)
    const [first] = await lead.submit([unknown])
    expect(first).toMatchObject({ verdict: 'rejected', next: 'fix', replayed: false })
    expect((await lead.read(`/offline-actions/${unknown.intentId}`)).status).toBe(404)
    // The same id with the content that the device meant.
    const meant = { ...start(await nextTask()), intentId: unknown.intentId }
    expect((await lead.submit([meant])).map(verdictOf)).toEqual(['applied'])
  })

  it('does not repeat the verdict on a resource that is out of scope now', async () => {
    const task = await nextTask()
    const intent = start(task)
    expect((await lead.submit([intent])).map(verdictOf)).toEqual(['applied'])
    const { ctx } = office.service
    const scoped = { ...operatorOf(lead), properties: new Set<PropertyId>() }
    const submit = async (operator: Operator) => {
      using deadline = createDeadline(5_000)
      return await submitIntents(
        { ...ctx, onError: ctx.errors.for('intents') },
        {
          operator,
          deadline,
          trace: newTrace(),
          bootId: 'boot-1',
          sentAt: new Date(),
          intents: [intent],
          cause: () => {
            throw new Error('nothing is decided')
          },
        },
      )
    }
    expect(await submit(scoped)).toMatchObject([
      { verdict: 'rejected', code: 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND', next: 'drop' },
    ])
    expect(await submit(operatorOf(lead))).toMatchObject([{ verdict: 'applied', replayed: true }])
  })

  it('STAFF-INT-10 an id with other content, and the id of another device', async () => {
    const task = await nextTask()
    const original = start(task)
    const [applied] = await lead.submit([original])
    expect(verdictOf(applied)).toBe('applied')
    const [reused] = await lead.submit([{ ...original, resourceId: (await nextTask()).taskId }])
    expect(reused).toMatchObject({
      verdict: 'rejected',
      code: 'MELMASTOON.BFF.BACKOFFICE.INTENT_ID_REUSED',
    })
    const [foreign] = await other.submit([original])
    expect(foreign).toMatchObject({ verdict: 'already_done', by: lead.tokens.operatorId })
    expect((await lead.submit([original]))[0]).toEqual({ ...applied, replayed: true })
    const path = `/offline-actions/${original.intentId}`
    expect((await lead.read(path)).body['verdict']).toBe('applied')
    expect((await other.read(path)).body['verdict']).toBe('already_done')
    expect((await desk.read(path)).status).toBe(404)
  })

  it('STAFF-INT-11 role and session are those of the arrival', async () => {
    const task = await nextTask()
    const forbidden = start(task, desk)
    const [rejected] = await desk.submit([forbidden])
    expect(rejected).toMatchObject({
      verdict: 'rejected',
      code: 'MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN',
      next: 'ask_lead',
    })
    const leaving = await intentDevice(office, 'housekeeping-lead')
    await leaving.post('/auth/sign-out', {})
    await expect(leaving.submit([start(task, leaving)])).rejects.toThrow('401')
    const rows = await query('select 1 from $schema.offline_intent_verdict where device_id = $1', [
      leaving.tokens.deviceId,
    ])
    expect(rows).toEqual([])
  })

  it('STAFF-INT-12 posts a charge once, also after 25 hours without any key', async () => {
    const charge = chargeOf(desk, 900)
    expect((await desk.submit([charge])).map(verdictOf)).toEqual(['applied'])
    await query('delete from $schema.offline_intent_verdict where intent_id = $1', [
      charge.intentId,
    ])
    const { environment } = office.sandbox
    await environment.query(`delete from ${environment.schema}.idempotency`)
    expect((await desk.submit([charge])).map(verdictOf)).toEqual(['applied'])
    expect(await chargesOf(charge)).toBe(1)
    const [over] = await desk.submit([chargeOf(desk, 900_000_000)])
    expect(over).toMatchObject({
      code: 'MELMASTOON.SECURITY.STEP_UP_REQUIRED',
      next: 'retry_online',
    })
  })

  it('STAFF-INT-13 rejects 101 intents and 256 KiB and one byte as a whole', async () => {
    const intents = Array.from({ length: 101 }, () => 0)
    await expect(lead.submit(intents)).rejects.toThrow('400')
    expect(await lead.submit(intents.slice(1))).toHaveLength(100)
    const empty = JSON.stringify({
      sentAt: new Date().toISOString(),
      bootId: 'boot-1',
      intents: [''],
    })
    const space = 256 * 1024 - empty.length
    expect(await lead.submit(['x'.repeat(space)])).toHaveLength(1)
    await expect(lead.submit(['x'.repeat(space + 1)])).rejects.toThrow('413')
  })

  it('reports a defect, resolves it, and checks guests in and out', async () => {
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
    const resolve = other.intent('work_order.resolve', String(order?.['id']), {
      ...expecting(Number(order?.['version'])),
      args: { resolution: 'Replaced' },
    })
    expect((await other.submit([resolve])).map(verdictOf)).toEqual(['applied'])
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

  it('commits verdict, activity and event together', async () => {
    const intent = start(await nextTask())
    await lead.submit([intent])
    const activities = await query<{ action: string; outcome: string }>(
      'select action, outcome from $schema.operator_activity where resource_id = $1',
      [intent.resourceId],
    )
    expect(activities).toEqual([{ action: 'offline.task.start', outcome: 'success' }])
    const events = await query<{ payload: object }>(
      `select payload from $schema.outbox where payload->>'intentId' = $1
       union all select payload from $schema.outbox_published where payload->>'intentId' = $1`,
      [intent.intentId],
    )
    expect(events).toMatchObject([{ payload: { verdict: 'applied', propertyId } }])
    await expect(
      query("update $schema.offline_intent_verdict set verdict = 'rejected' where intent_id = $1", [
        intent.intentId,
      ]),
    ).rejects.toThrow('a verdict does not change')
  })
})

describe('the simulation', () => {
  it('behaves as the sandbox', async () => {
    const { ctx } = office.service
    const operator = { ...simulatedOperator(), ...other.tokens }
    using deadline = createDeadline(20_000)
    const call = { deadline, trace: newTrace() }
    const { taskId } = await nextTask()
    const common = { operator, call, currency: folio.currency as 'AED' }
    const real = await runUpstreamScript({
      ...common,
      upstreams: ctx.upstreams,
      taskId: parseId('hkt', taskId),
      folioId: parseId('fol', folio.folioId),
    })
    const hotel = new FakeHotel()
    const simulated = await runUpstreamScript({
      ...common,
      upstreams: hotel.upstreams(() => Promise.resolve()),
      taskId: parseId('hkt', hotel.addTask('pending', 1)),
      folioId: hotel.folioId,
    })
    expect(simulated).toEqual(real)
    expect(new Set(real.map((outcome) => JSON.stringify(outcome))).size).toBeGreaterThan(8)
  })

  it('has a table that behaves as Postgres', async () => {
    const { tenantId, deviceId, operatorId, sessionId } = other.tokens
    const intent = {
      tenantId,
      operatorId,
      name: 'task.start',
      resourceId: newId('hkt'),
      seq: 1,
      contentHash: 'hash',
      bootId: 'boot',
      occurredAt: new Date(),
      clockSuspect: false,
      receivedAt: new Date(),
    }
    const cause = {
      producerInstance: 'test',
      tenantId,
      requestId: newId('req'),
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      occurredAt: new Date(),
    }
    const run = (store: IntentStore) => {
      const key = { deviceId: newId('dev'), intentId: newId('int') }
      const payload = {
        ...key,
        operatorId,
        propertyId: null,
        intentName: 'task.start',
        resourceId: intent.resourceId,
        verdict: 'applied' as const,
        code: null,
        clockSuspect: false,
        occurredAt: null,
      }
      const event = registry.build(intentDecided.subject, payload, cause)
      const activity = activityOf(tenantId, { operatorId, deviceId, sessionId })
      const verdict = { verdict: 'applied' } as const
      const decision = { verdict, propertyId: null, decidedAt: new Date(), activity, event }
      return runStoreScript(store, { ...intent, ...key }, decision)
    }
    const real = await run(office.service.ctx.intentStore)
    const simulated = await run(new MemoryIntentTable().store(() => Promise.resolve()))
    expect(simulated).toEqual(real)
    expect(real).toContain('reused')
  })
})

describe('inboxes', () => {
  it('acknowledges an alert, decides on a suggestion and saves preferences', async () => {
    const alerts = await other.read<{ rows: { alertId: string }[] }>(
      `/alerts?propertyId=${propertyId}`,
    )
    const alertId = String(alerts.body.rows[0]?.alertId)
    const acknowledge = () => other.intent('alert.acknowledge', alertId, { args: { note: 'Seen' } })
    expect((await other.submit([acknowledge(), acknowledge()])).map(verdictOf)).toEqual([
      'applied',
      'already_done',
    ])
    const save = (version: number, columns: number) =>
      lead.intent('preferences.update', propertyId, {
        ...expecting(version),
        args: { payload: { columns } },
      })
    const saved = await lead.submit([save(0, 3), save(0, 3), save(0, 4), save(1, 4)])
    expect(saved.map(verdictOf)).toEqual(['applied', 'already_done', 'superseded', 'applied'])
    const listed = await other.read<{ rows: { suggestionId: string; state: string }[] }>(
      `/ai/suggestions?propertyId=${propertyId}`,
    )
    const open = listed.body.rows.find(({ state }) => state === 'proposed')
    const decide = (device: IntentDevice, outcome: string) =>
      device.intent('suggestion.decide', String(open?.suggestionId), { args: { outcome } })
    const decided = await other.submit([
      decide(other, 'rejected'),
      decide(other, 'rejected'),
      decide(other, 'accepted'),
    ])
    expect(decided.map(verdictOf)).toEqual(['applied', 'already_done', 'superseded'])
  })
})
