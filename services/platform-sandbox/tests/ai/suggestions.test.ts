import { buildContext } from '@melmastoon/chassis/service'
import { idToUuid, newId } from '@melmastoon/domain'
import { eventually, expectValidEvents } from '@melmastoon/testkit'
import {
  aiContract,
  type DecisionOutcome,
  type Suggestion,
  type SuggestionCategory,
} from '@melmastoon/upstream-contracts/ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { service } from '../../src/service.ts'
import { type Inbox, newActor, serveInbox } from '../inbox/serve-inbox.ts'
import { contracts, drainEvents, rejectionOf, send } from '../start-sandbox.ts'

/** The sweeper runs every two seconds. */
const WAITING = { timeoutMs: 15_000 }

describe('suggestions', () => {
  let inbox: Inbox

  beforeAll(async () => {
    inbox = await serveInbox({ SUGGESTION_SECONDS: '0' })
  })
  afterAll(() => inbox[Symbol.asyncDispose]())

  const ai = (scenario?: string) => inbox.client(aiContract, scenario)
  const own = () => ({ tenantId: inbox.hotel.tenantId, idempotencyKey: newId('req') })
  const inHotel = () => ({ propertyId: inbox.hotel.propertyId })

  async function propose(category: SuggestionCategory): Promise<Suggestion> {
    const { tenantId, propertyId } = inbox.hotel
    const path = `/admin/api/tenants/${tenantId}/properties/${propertyId}/suggestions/propose`
    const { body } = await send(inbox.url, 'POST', path, { json: { category } })
    return body as Suggestion
  }

  function decision(outcome: DecisionOutcome, more: object = {}) {
    return { decisionId: newId('sdl'), outcome, actor: newActor(), ...more }
  }

  const decide = ({ suggestionId }: Suggestion, body: ReturnType<typeof decision>) =>
    ai().recordDecision({ params: { suggestionId }, body }, own())

  it('of the demo hotels are derived from their stays, and marked as a fallback', async () => {
    const { suggestions } = await ai().listSuggestions({ params: inHotel(), query: {} }, own())
    expect(suggestions.length).toBeGreaterThanOrEqual(2)
    for (const { provenance, state, proposal, category } of suggestions) {
      expect(provenance).toMatchObject({ fallback: true, model: 'deterministic-rules' })
      expect(Date.parse(provenance.expiresAt)).toBeGreaterThan(Date.now())
      expect([state, proposal.kind]).toEqual(['proposed', category])
    }
    const query = { class: 'hk' as const, state: 'proposed' as const }
    const ofClass = await ai().listSuggestions({ params: inHotel(), query }, own())
    expect(new Set(ofClass.suggestions.map(({ category }) => category))).toEqual(
      new Set(['housekeeping_reorder']),
    )
    const first = await ai().listSuggestions({ params: inHotel(), query: { limit: 1 } }, own())
    const cursor = first.nextCursor ?? ''
    const rest = await ai().listSuggestions({ params: inHotel(), query: { cursor } }, own())
    expect([...first.suggestions, ...rest.suggestions]).toEqual(suggestions)
  })

  it('are decided once, however many operators decide at the same time', async () => {
    const suggestion = await propose('staffing')
    const bodies = Array.from({ length: 10 }, () => decision('accepted'))
    const outcomes = await Promise.allSettled(bodies.map((body) => decide(suggestion, body)))
    const winners = bodies.filter((_, index) => outcomes[index]?.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    const [winner] = winners
    if (winner === undefined) throw new TypeError('no decision was recorded')
    const { suggestionId } = suggestion
    const read = await ai().getSuggestion({ params: { suggestionId } }, own())
    expect(read.decision).toMatchObject({ decisionId: winner.decisionId, outcome: 'accepted' })
    expect(read.history.map(({ status }) => status)).toEqual(['proposed', 'accepted'])
    // The same decision under another idempotency key, as after the expiry of the first.
    expect(await decide(suggestion, winner)).toEqual(read)
    const late = decide(suggestion, decision('rejected'))
    expect(await rejectionOf(late)).toBe('MELMASTOON.AI.SUGGESTION_DECIDED')
    // The control: decisions on different suggestions do not exclude each other.
    const others = await Promise.all([propose('staffing'), propose('staffing')])
    await Promise.all(others.map((other) => decide(other, decision('rejected'))))
  })

  it('are modified with a delta that is valid for the proposal, and only then', async () => {
    const suggestion = await propose('staffing')
    const invalid = [
      decision('modified'),
      decision('modified', { modifiedDelta: { additionalStaff: 99 } }),
      decision('modified', { modifiedDelta: { department: 'front_desk' } }),
      decision('accepted', { modifiedDelta: { additionalStaff: 2 } }),
    ]
    for (const body of invalid) {
      const code = await rejectionOf(decide(suggestion, body))
      expect(code).toBe('MELMASTOON.AI.DELTA_INVALID')
    }
    const modifiedDelta = { additionalStaff: 3 }
    const modified = await decide(suggestion, decision('modified', { modifiedDelta }))
    expect(modified).toMatchObject({ state: 'modified', decision: { modifiedDelta } })
    expect(modified.proposal).toEqual(suggestion.proposal)
  })

  it('that have ended cannot be decided, unless the decision was made in time', async () => {
    const suggestion = await propose('rate_change')
    const params = { suggestionId: suggestion.suggestionId }
    for (const scenario of ['suggestion-expired', 'suggestion-withdrawn']) {
      const { suggestionId } = await propose('rate_change')
      const body = decision('accepted')
      const ended = ai(scenario).recordDecision({ params: { suggestionId }, body }, own())
      expect(await rejectionOf(ended)).toBe('MELMASTOON.AI.SUGGESTION_CLOSED')
    }
    const decidedAt = suggestion.provenance.generatedAt
    await inbox.environment.query(
      `update sandbox.ai_suggestion set generated_at = now() - interval '2 days',
         expires_at = now() - interval '1 day' where suggestion_id = $1`,
      [idToUuid(params.suggestionId)],
    )
    await eventually(async () => {
      const { state } = await ai().getSuggestion({ params }, own())
      expect(state).toBe('expired')
    }, WAITING)
    const late = decide(suggestion, decision('accepted', { decidedAt }))
    expect(await rejectionOf(late)).toBe('MELMASTOON.AI.SUGGESTION_CLOSED')
    const inTime = new Date(Date.now() - 30 * 3_600_000).toISOString()
    const accepted = await decide(suggestion, decision('accepted', { decidedAt: inTime }))
    expect(accepted.history.map(({ status }) => status)).toEqual([
      'proposed',
      'expired',
      'accepted',
    ])
  })

  it('of another tenant are not found', async () => {
    const { suggestionId } = await propose('staffing')
    const other = { tenantId: inbox.foreign.tenantId, idempotencyKey: newId('req') }
    const params = { suggestionId }
    const unknown = 'MELMASTOON.AI.SUGGESTION_NOT_FOUND'
    expect(await rejectionOf(ai().getSuggestion({ params }, other))).toBe(unknown)
    const body = decision('accepted')
    expect(await rejectionOf(ai().recordDecision({ params, body }, other))).toBe(unknown)
    const listed = ai().listSuggestions({ params: inHotel(), query: {} }, other)
    expect(await rejectionOf(listed)).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
  })

  it('are generated once per condition and day', async () => {
    const { environment } = inbox
    for (const table of ['ai_decision', 'ai_history', 'ai_suggestion']) {
      await environment.query(`delete from sandbox.${table}`)
    }
    await using ctx = buildContext(service, service.config.read(environment.env), {})
    const { ai: module } = ctx.modules
    const before = await drainEvents(environment, '%.suggestion.proposed.v1')
    const counts = await Promise.all([module.generate(), module.generate()])
    const proposed = counts.reduce((sum, count) => sum + count, 0)
    expect(proposed).toBeGreaterThanOrEqual(2)
    expect(await module.generate()).toBe(0)
    const after = await drainEvents(environment, '%.suggestion.proposed.v1')
    expect(after.length - before.length).toBe(proposed)
  })

  it('publish valid events', async () => {
    const events = await expectValidEvents(inbox.environment.adminUrl, contracts)
    const subjects = events.map(({ envelope }) => envelope.subject)
    for (const verb of ['proposed', 'decided', 'expired', 'withdrawn']) {
      expect(subjects).toContain(`melmastoon.ai.suggestion.${verb}.v1`)
    }
  })
})
