import { createDeadline } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { addDays, newId } from '@melmastoon/domain'
import { barrier, eventually, send } from '@melmastoon/testkit'
import type { Suggestion } from '@melmastoon/upstream-contracts/ai'
import { describe, expect, it } from 'vitest'
import { alertsTag } from '../../src/alerts/alert-inbox.ts'
import type { BackofficeContext } from '../../src/context.ts'
import { decideSuggestion } from '../../src/suggestions/decide-suggestion.ts'
import { settleDueEffects } from '../../src/suggestions/settle-effects.ts'
import { suggestionsTag } from '../../src/suggestions/suggestion-inbox.ts'
import { operatorOf } from '../activity/activity-service.ts'
import { startBackoffice } from '../harness/start-backoffice.ts'
import { propose, type Staff, shared, signIn } from './inbox-fixture.ts'

/** The inbox is read again afterwards, as after the event about it. */
async function newSuggestion(category: Suggestion['category'] = 'overbooking_warning') {
  const { running, propertyId, desk } = shared
  const suggestion = await propose(running, { tenantId: desk.tenantId, propertyId }, category)
  await running.service.ctx.cache.invalidate([suggestionsTag(propertyId)])
  return suggestion
}

const decide = (staff: Staff, { suggestionId }: Suggestion, json: object, key?: string) =>
  staff.post(`/ai/suggestions/${suggestionId}/decide`, json, key)

const rowsOf = ({ suggestionId }: Suggestion) =>
  shared.running.environment.query(
    `select outcome, decided_by, provenance, notes_truncated, modified_delta
     from ${shared.running.environment.schema}.ai_decision_log where suggestion_id = $1`,
    [suggestionId],
  )

const effectsOf = async ({ suggestionId }: Suggestion) => {
  const { schema } = shared.running.environment
  return await shared.running.environment.query<{
    kind: string
    state: string
    error_code: string
  }>(
    `select e.kind, e.state, e.error_code from ${schema}.ai_decision_effect e
     join ${schema}.ai_decision_log d on d.id = e.decision_id
     where d.suggestion_id = $1 order by e.kind`,
    [suggestionId],
  )
}

const upstreamState = async ({ suggestionId }: Suggestion) => {
  using deadline = createDeadline(5_000)
  const { ai } = shared.running.service.ctx.upstreams
  const { tenantId } = shared.desk
  return (await ai.getSuggestion({ params: { suggestionId } }, { tenantId, deadline })).state
}

describe('the list of suggestions', () => {
  it('B4 has the classes of the role, with provenance', async () => {
    const own = await newSuggestion()
    const rates = await newSuggestion('rate_change')
    const path = `/ai/suggestions?propertyId=${shared.propertyId}&state=proposed`
    const all = (await shared.manager.get(path)).body['rows'] as Suggestion[]
    expect(all.map((row) => row.suggestionId)).toEqual(
      expect.arrayContaining([own.suggestionId, rates.suggestionId]),
    )
    const { body } = await shared.desk.get(path)
    const rows = body['rows'] as Suggestion[]
    expect(rows.find((row) => row.suggestionId === own.suggestionId)).toMatchObject({
      provenance: own.provenance,
      entryId: own.suggestionId.replace('sug_', 'aim_'),
    })
    expect(new Set(rows.map((row) => row.class))).toEqual(new Set(['desk']))
    expect(body).toMatchObject({ source: 'current', page: { hasMore: false } })
  })

  it('is for leads of housekeeping, not for all of it', async () => {
    const path = `/ai/suggestions?propertyId=${shared.propertyId}`
    expect((await (await signIn(shared.running, 'housekeeper')).get(path)).status).toBe(403)
    const lead = await (await signIn(shared.running, 'housekeeping-lead')).get(path)
    expect(lead.status).toBe(200)
    expect((lead.body['rows'] as Suggestion[]).every((row) => row.class === 'hk')).toBe(true)
  })

  it('D18 does not find the property of another tenant', async () => {
    const owner = await signIn(shared.running, 'owner', 'margalla-view')
    const { status, body } = await owner.get(`/ai/suggestions?propertyId=${shared.propertyId}`)
    expect([status, body['code']]).toEqual([404, 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'])
  })
})

describe('a decision', () => {
  it('STAFF-AI-01 binds: the second operator receives it', async () => {
    const suggestion = await newSuggestion()
    const [first, second] = await Promise.all([
      decide(shared.desk, suggestion, { outcome: 'accepted' }),
      decide(shared.manager, suggestion, { outcome: 'rejected' }),
    ])
    expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 409])
    const [winner, loser] = first.status === 200 ? [first, second] : [second, first]
    expect(loser.body).toMatchObject({
      code: 'MELMASTOON.AI.SUGGESTION_DECIDED',
      decision: winner.body['decision'],
    })
    expect(await rowsOf(suggestion)).toMatchObject([{ provenance: suggestion.provenance }])
    const { body } = await shared.manager.get(`/ai/suggestions?propertyId=${shared.propertyId}`)
    const row = (body['rows'] as Suggestion[]).find(
      ({ suggestionId }) => suggestionId === suggestion.suggestionId,
    )
    expect(row?.decision).toEqual(winner.body['decision'])
  })

  it('STAFF-AI-02 is repeated without an effect by the same operator', async () => {
    const suggestion = await newSuggestion()
    const key = newId('req')
    const json = { outcome: 'accepted', note: 'x'.repeat(300) }
    const first = await decide(shared.desk, suggestion, json, key)
    expect(first.status).toBe(200)
    const replayed = await decide(shared.desk, suggestion, json, key)
    expect(replayed.headers.get('idempotent-replayed')).toBe('true')
    const again = await decide(shared.desk, suggestion, { outcome: 'accepted' })
    expect([again.status, again.body['decision']]).toEqual([200, first.body['decision']])
    expect((await decide(shared.desk, suggestion, { outcome: 'rejected' })).status).toBe(409)
    expect(await rowsOf(suggestion)).toMatchObject([{ notes_truncated: 'x'.repeat(200) }])
    await eventually(async () => expect(await upstreamState(suggestion)).toBe('accepted'))
  })

  it.each([
    [{ outcome: 'modified' }],
    [{ outcome: 'modified', modifiedDelta: { action: 'shrug' } }],
    [{ outcome: 'modified', modifiedDelta: { rooms: 3 } }],
    [{ outcome: 'accepted', modifiedDelta: { action: 'upgrade' } }],
  ])('STAFF-AI-02 with an invalid delta is rejected: %j', async (json) => {
    const suggestion = await newSuggestion()
    const { status, body } = await decide(shared.desk, suggestion, json)
    expect([status, body['code']]).toEqual([422, 'MELMASTOON.AI.DELTA_INVALID'])
    expect(JSON.stringify(body['errors'])).toContain('/modifiedDelta')
    expect(await rowsOf(suggestion)).toEqual([])
  })

  it('that accepts a stop of sales makes the last rooms of the night unavailable', async () => {
    const suggestion = await newSuggestion()
    const { proposal } = suggestion
    if (proposal.kind !== 'overbooking_warning') throw new TypeError('not an overbooking')
    expect((await decide(shared.desk, suggestion, { outcome: 'accepted' })).status).toBe(200)
    await eventually(async () =>
      expect(await effectsOf(suggestion)).toMatchObject([
        { kind: 'record', state: 'done' },
        { kind: 'stop_sale', state: 'done' },
      ]),
    )
    const { propertyId } = shared
    const query = { propertyId, from: proposal.night, to: addDays(proposal.night, 1) }
    using deadline = createDeadline(5_000)
    const { inventory } = shared.running.service.ctx.upstreams
    const { roomTypes } = await inventory.availability(
      { query },
      { tenantId: shared.desk.tenantId, deadline },
    )
    const type = roomTypes.find(({ roomTypeId }) => roomTypeId === proposal.roomTypeId)
    expect(type?.nights).toMatchObject([{ night: proposal.night, available: 0 }])
  })

  it('may modify the proposal; staff is assigned the agreed change', async () => {
    const suggestion = await newSuggestion()
    const modifiedDelta = { action: 'relocate' }
    const { status, body } = await decide(shared.desk, suggestion, {
      outcome: 'modified',
      modifiedDelta,
    })
    expect([status, body['decision']]).toMatchObject([200, { modifiedDelta }])
    expect(await rowsOf(suggestion)).toMatchObject([{ modified_delta: modifiedDelta }])
    await eventually(async () =>
      expect(await effectsOf(suggestion)).toMatchObject([
        { kind: 'assign', state: 'done' },
        { kind: 'record', state: 'done' },
      ]),
    )
    await shared.running.service.ctx.cache.invalidate([alertsTag(shared.propertyId)])
    await eventually(async () => {
      const alerts = await shared.desk.get(`/alerts?propertyId=${shared.propertyId}&limit=500`)
      expect(JSON.stringify(alerts.body)).toContain(suggestion.suggestionId)
    })
  })

  it.each([
    ['expire', 'expired'],
    ['withdraw', 'withdrawn'],
  ])('STAFF-AI-02 comes too late after %s', async (end, state) => {
    const suggestion = await newSuggestion()
    const { suggestionId } = suggestion
    const path = `/admin/api/tenants/${shared.desk.tenantId}/suggestions/${suggestionId}/${end}`
    await send(shared.running.sandbox.url, 'POST', path, { json: {} })
    const { status, body } = await decide(shared.desk, suggestion, { outcome: 'accepted' })
    expect([status, body['code'], body['state']]).toEqual([
      409,
      'MELMASTOON.AI.SUGGESTION_CLOSED',
      state,
    ])
    expect(await rowsOf(suggestion)).toEqual([])
  })

  it('is for the roles of the class; unknown and foreign suggestions are not found', async () => {
    const rates = await newSuggestion('rate_change')
    const accepted = { outcome: 'accepted' }
    expect((await decide(shared.desk, rates, accepted)).status).toBe(403)
    const foreign = await signIn(shared.running, 'owner', 'margalla-view')
    const found = await decide(foreign, rates, accepted)
    const unknown = await decide(foreign, { ...rates, suggestionId: newId('sug') }, accepted)
    expect([found.status, found.body['code']]).toEqual([unknown.status, unknown.body['code']])
    expect(found.status).toBe(404)
    expect((await decide(shared.manager, rates, accepted)).status).toBe(200)
  })

  it('STAFF-AI-03 stays when what follows from it fails, and that is repeated', async () => {
    const suggestion = await newSuggestion()
    const dead = 'http://127.0.0.1:1'
    const env = { ...shared.running.env, UPSTREAM_NOTIFICATION_URL: dead }
    await using broken = await startBackoffice({ env })
    const staff = await signIn({ sandbox: shared.running.sandbox, service: broken }, 'desk')
    const json = { outcome: 'modified', modifiedDelta: { action: 'upgrade' } }
    expect((await decide(staff, suggestion, json)).status).toBe(200)
    await eventually(async () =>
      expect(await effectsOf(suggestion)).toMatchObject([
        { kind: 'assign', state: 'pending' },
        { kind: 'record', state: 'done' },
      ]),
    )
    expect(await rowsOf(suggestion)).toHaveLength(1)
    await shared.running.environment.query(
      `update ${shared.running.environment.schema}.ai_decision_effect set next_attempt_at = now()`,
    )
    const { signal } = new AbortController()
    expect(await settleDueEffects(shared.running.service.ctx, signal)).toMatchObject({ open: 0 })
    expect((await effectsOf(suggestion)).map(({ state }) => state)).toEqual(['done', 'done'])
  })
})

describe('what follows from an accepted suggestion', () => {
  const alertsOf = async (suggestion: Suggestion) => {
    using deadline = createDeadline(5_000)
    const { tenantId } = shared.desk
    const { alerts } = await shared.running.service.ctx.upstreams.notification.listAlerts(
      { params: { propertyId: shared.propertyId }, query: { limit: 200 } },
      { tenantId, deadline },
    )
    return alerts
      .filter(({ title: { params } }) => params['suggestionId'] === suggestion.suggestionId)
      .map(({ title, audience, resourceId }) => ({ key: title.key, audience, resourceId }))
  }

  it.each<[Suggestion['category'], readonly string[]]>([
    ['rate_change', ['general_manager', 'owner']],
    ['housekeeping_reorder', ['housekeeping', 'general_manager']],
    ['staffing', ['general_manager', 'owner']],
    ['audit_anomaly', ['general_manager', 'owner']],
  ])('%s: the staff who carry it out are assigned', async (category, audience) => {
    const suggestion = await newSuggestion(category)
    expect((await decide(shared.manager, suggestion, { outcome: 'accepted' })).status).toBe(200)
    const { resourceId } = suggestion
    const key = `suggestions.${category}.agreed`
    await eventually(async () =>
      expect(await alertsOf(suggestion)).toEqual([{ key, audience, resourceId }]),
    )
  })

  it('an anomaly that is ignored needs nobody', async () => {
    const suggestion = await newSuggestion('audit_anomaly')
    const json = { outcome: 'modified', modifiedDelta: { disposition: 'ignore' } }
    expect((await decide(shared.manager, suggestion, json)).status).toBe(200)
    await eventually(async () =>
      expect(await effectsOf(suggestion)).toMatchObject([{ kind: 'record', state: 'done' }]),
    )
    expect(await alertsOf(suggestion)).toEqual([])
  })

  it('a stop of sales that the inventory rejects is assigned to the desk', async () => {
    const suggestion = await newSuggestion()
    const env = { ...shared.running.env, UPSTREAM_INVENTORY_URL: 'http://127.0.0.1:1' }
    await using broken = await startBackoffice({ env })
    const staff = await signIn({ sandbox: shared.running.sandbox, service: broken }, 'desk')
    expect((await decide(staff, suggestion, { outcome: 'accepted' })).status).toBe(200)
    await eventually(async () =>
      expect(await effectsOf(suggestion)).toMatchObject([
        { kind: 'record', state: 'done' },
        { kind: 'stop_sale', state: 'pending' },
      ]),
    )
    const { environment, service } = shared.running
    await environment.query(
      `update ${environment.schema}.ai_decision_effect set next_attempt_at = now()`,
    )
    const code = 'MELMASTOON.INVENTORY.ROOM_TYPE_NOT_FOUND'
    const rejects = () => Promise.reject(new UpstreamRejection('inventory', 404, { code }))
    const inventory = { availability: rejects, changeCapacity: rejects }
    const raised: unknown[] = []
    const { notification } = service.ctx.upstreams
    const upstreams = {
      ...service.ctx.upstreams,
      inventory,
      notification: {
        raise: (...call: Parameters<typeof notification.raise>) => {
          raised.push(call[0].body.title.key)
          return notification.raise(...call)
        },
      },
    }
    await settleDueEffects({ ...service.ctx, upstreams }, new AbortController().signal)
    expect(raised).toEqual(['suggestions.overbooking_warning.failed'])
    expect((await effectsOf(suggestion)).at(-1)).toMatchObject({
      state: 'failed',
      error_code: code,
    })
  })
})

/** Every decision has found none before any is stored. */
function racing(ctx: BackofficeContext, count: number): BackofficeContext {
  const gate = barrier(count)
  let reads = 0
  const db = new Proxy(ctx.db, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown
      if (name !== 'tenantQuery') return member
      const query: Database['tenantQuery'] = async (...call) => {
        const rows = await target.tenantQuery(...call)
        reads += 1
        if (reads <= count) await gate.arrive()
        return rows
      }
      return query
    },
  })
  return { ...ctx, db }
}

async function race(suggestion: Suggestion): Promise<number> {
  const COUNT = 8
  const { ctx } = shared.running.service
  const deps = racing(ctx, COUNT)
  const { suggestionId } = suggestion
  using deadline = createDeadline(10_000)
  const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: false }
  const outcomes = await Promise.allSettled(
    Array.from({ length: COUNT }, () => {
      const operator = operatorOf('front_desk', { tenantId: shared.desk.tenantId })
      const cause = {
        producerInstance: 'test',
        tenantId: shared.desk.tenantId,
        requestId: newId('req'),
        traceparent: `00-${trace.traceId}-${trace.spanId}-00`,
        occurredAt: new Date(),
      }
      const call = { deadline, trace, idempotencyKey: newId('req'), cause }
      return decideSuggestion(deps, { operator, suggestionId, outcome: 'accepted' }, call)
    }),
  )
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

describe('STAFF-AI-01 eight operators decide at once', () => {
  it('one wins', async () => {
    const suggestion = await newSuggestion()
    expect(await race(suggestion)).toBe(1)
    expect(await rowsOf(suggestion)).toHaveLength(1)
    const { suggestionId } = suggestion
    const events = await shared.running.environment.query(
      `select 1 from ${shared.running.environment.schema}.outbox where payload->>'suggestionId' = $1
       union all select 1 from ${shared.running.environment.schema}.outbox_published
       where payload->>'suggestionId' = $1`,
      [suggestionId],
    )
    expect(events).toHaveLength(1)
  })

  it('control: without the unique index of the binding decision all of them win', async () => {
    const { environment } = shared.running
    await environment.query(`drop index ${environment.schema}.ux_ai_decision_binding`)
    const suggestion = await newSuggestion()
    expect(await race(suggestion)).toBe(8)
  })
})
