import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { sql } from '@melmastoon/chassis/db'
import {
  type Claim,
  claim,
  fingerprint,
  type IdempotencyScope,
  pruneIdempotency,
  type StoredOutcome,
  scopeKey,
  writeOnce,
} from '@melmastoon/chassis/idempotency'
import { idToUuid, isProblem, newId, type TenantId } from '@melmastoon/domain'
import fc from 'fast-check'

import { allNotes, type Fixture } from './_database.ts'

export type Op =
  | { op: 'send' | 'write' | 'expire'; scope: number; body: number }
  | { op: 'finish' | 'crash' | 'abandon' | 'checkpoint'; held: number }
  | { op: 'end-leases' | 'prune' }

const SCOPES = 4
const LEASE_MS = 60_000
const TTL_MS = 600_000

const keyed = fc.record({
  op: fc.constantFrom('send', 'send', 'send', 'write', 'expire'),
  scope: fc.nat(SCOPES - 1),
  body: fc.nat(1),
})
const held = fc.record({
  op: fc.constantFrom('finish', 'finish', 'crash', 'abandon', 'checkpoint'),
  held: fc.nat(3),
})
const global = fc.record({ op: fc.constantFrom('end-leases', 'prune') })

export const histories = fc.array(fc.oneof(keyed, held, held, global) as fc.Arbitrary<Op>, {
  minLength: 4,
  maxLength: 30,
})

interface ModelRow {
  state: 'in_progress' | 'completed'
  body: number
  generation: number
  owner: number
  live: boolean
  expired: boolean
  point: string
  response: string
}

interface Held {
  id: number
  scope: number
  generation: number
  claim: Claim
}

/**
 * The rules of the table as a map, run in parallel with the real store. Every result must be the
 * predicted one, which implies at most one effect per generation and identical responses.
 */
class ModelRun {
  readonly #fixture: Fixture
  readonly #tenants: readonly TenantId[] = [newId('tnt'), newId('tnt')]
  readonly #rows = new Map<number, ModelRow>()
  #held: Held[] = []
  #counter = 0
  readonly effects: string[] = []
  /** Generations with an effect; one that is listed twice was executed twice. */
  readonly generationsDone: number[] = []

  constructor(fixture: Fixture) {
    this.#fixture = fixture
  }

  async run(op: Op): Promise<void> {
    switch (op.op) {
      case 'send':
        return this.#send(op.scope, op.body)
      case 'write':
        return this.#write(op.scope, op.body)
      case 'expire':
        return this.#expire(op.scope)
      case 'end-leases':
        return this.#endLeases()
      case 'prune':
        return this.#prune()
      case 'finish':
      case 'crash':
      case 'abandon':
      case 'checkpoint':
        return this.#withHeld(op.op, op.held)
    }
  }

  #scopeOf(scope: number): IdempotencyScope & { tenantId: TenantId } {
    const tenantId = this.#tenants[scope % 2]
    if (tenantId === undefined) throw new TypeError('no such tenant')
    const key = `key-${'0'.repeat(16)}-${scope >> 1}`
    return { service: 's', tenantId, principal: 'p', operation: 'o', key }
  }

  /** The expected result according to the rules. */
  #predict(scope: number, body: number): 'claimed' | StoredOutcome['kind'] {
    const row = this.#rows.get(scope)
    if (row === undefined) return 'claimed'
    const same = row.body === body
    if (row.state === 'completed') return row.expired ? 'claimed' : same ? 'replay' : 'reused'
    if (row.live) return same ? 'in_flight' : 'reused'
    return row.expired || same ? 'claimed' : 'reused'
  }

  #take(scope: number, body: number): ModelRow {
    const before = this.#rows.get(scope)
    const fresh = before === undefined || before.expired
    this.#counter += 1
    const row: ModelRow = {
      state: 'in_progress',
      body,
      generation: fresh ? this.#counter : before.generation,
      owner: this.#counter,
      live: true,
      expired: false,
      point: fresh ? 'started' : before.point,
      response: '',
    }
    this.#rows.set(scope, row)
    return row
  }

  async #send(scope: number, body: number): Promise<void> {
    const expected = this.#predict(scope, body)
    const requestHash = fingerprint({ body })
    const request = { scope: this.#scopeOf(scope), requestHash, leaseMs: LEASE_MS, ttlMs: TTL_MS }
    const outcome = await claim(this.#fixture.store, request)
    strictEqual(outcome.kind, expected)
    if (outcome.kind === 'claimed') {
      const row = this.#take(scope, body)
      strictEqual(outcome.claim.recoveryPoint, row.point)
      const { owner: id, generation } = row
      this.#held.push({ id, scope, generation, claim: outcome.claim })
    }
    this.#expectReplay(scope, outcome)
  }

  async #write(scope: number, body: number): Promise<void> {
    const expected = this.#predict(scope, body)
    const next = this.#counter + 1
    const to = this.#scopeOf(scope)
    const mark = `w${next}`
    const request = { scope: to, requestHash: fingerprint({ body }), ttlMs: TTL_MS }
    const outcome = await writeOnce(this.#fixture.store, request, {
      effect: sql`insert into idem_isolated.note (tenant_id, mark, body)
        select ${idToUuid(to.tenantId)}::uuid, ${mark}, 'write' from claimed returning 1`,
      response: { status: 201, body: { mark } },
    })
    strictEqual(outcome.kind, expected === 'claimed' ? 'done' : expected)
    if (outcome.kind === 'done') {
      const row = this.#take(scope, body)
      this.#complete(row, mark, JSON.stringify({ mark }))
    }
    this.#expectReplay(scope, outcome)
  }

  #expectReplay(scope: number, outcome: { kind: string; response?: { body: unknown } }): void {
    if (outcome.kind !== 'replay') return
    strictEqual(outcome.response?.body, this.#rows.get(scope)?.response)
  }

  #complete(row: ModelRow, mark: string, response: string): void {
    row.state = 'completed'
    row.live = false
    row.point = 'finished'
    row.response = response
    this.effects.push(mark)
    this.generationsDone.push(row.generation)
  }

  async #withHeld(op: 'finish' | 'crash' | 'abandon' | 'checkpoint', index: number): Promise<void> {
    const one = this.#held[index]
    if (one === undefined) return
    const row = this.#rows.get(one.scope)
    const owns = row?.state === 'in_progress' && row.owner === one.id
    if (op !== 'checkpoint') this.#held = this.#held.filter((other) => other !== one)
    if (op === 'finish') return this.#finish(one, owns ? row : undefined)
    if (op === 'checkpoint') return this.#checkpoint(one, owns ? row : undefined)
    if (op === 'abandon') {
      await one.claim.abandon()
      if (owns) row.live = false
    }
  }

  async #checkpoint(one: Held, row: ModelRow | undefined): Promise<void> {
    this.#counter += 1
    const point = `p${this.#counter}`
    const accepted = await isAccepted(() => one.claim.checkpoint(point, { point }))
    strictEqual(accepted, row !== undefined)
    if (row === undefined) return
    row.point = point
    row.live = true
  }

  async #finish(one: Held, row: ModelRow | undefined): Promise<void> {
    const { tenantId } = this.#scopeOf(one.scope)
    const mark = `f${one.id}`
    const accepted = await isAccepted(() =>
      this.#fixture.app.withTenant(tenantId, async (tx) => {
        await tx.query(sql`insert into idem_isolated.note (tenant_id, mark, body)
          values (${idToUuid(tenantId)}, ${mark}, 'finish')`)
        await one.claim.completeIn(tx, { status: 201, body: { mark } })
      }),
    )
    strictEqual(accepted, row !== undefined)
    if (row !== undefined) this.#complete(row, mark, JSON.stringify({ mark }))
  }

  async #endLeases(): Promise<void> {
    await this.#fixture.admin.query(sql`update idem_isolated.idempotency
      set lease_until = now() - interval '1 second' where state = 'in_progress'`)
    for (const row of this.#rows.values()) row.live = false
  }

  async #expire(scope: number): Promise<void> {
    const row = this.#rows.get(scope)
    if (row === undefined) return
    await this.#fixture.admin.query(sql`update idem_isolated.idempotency
      set expires_at = now() - interval '1 second'
      where key = ${scopeKey(this.#scopeOf(scope))}`)
    row.expired = true
  }

  async #prune(): Promise<void> {
    const { relay } = this.#fixture
    const gone = [...this.#rows].filter(([, row]) => row.expired && !row.live)
    const [row] = await relay.query(pruneIdempotency(1_000))
    strictEqual(row?.pruned, gone.length)
    for (const [scope] of gone) this.#rows.delete(scope)
  }
}

async function isAccepted(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (isProblem(error) && error.code === 'MELMASTOON.IDEMPOTENCY.IN_FLIGHT') return false
    throw error
  }
}

/** Runs one history on an empty table and compares the stored rows. */
export async function playHistory(fixture: Fixture, history: readonly Op[]): Promise<void> {
  await fixture.admin.query(sql`truncate idem_isolated.idempotency, idem_isolated.note`)
  const model = new ModelRun(fixture)
  for (const op of history) await model.run(op)
  const marks = (await allNotes(fixture)).map((note) => note.mark)
  deepStrictEqual(marks, model.effects)
  strictEqual(new Set(model.generationsDone).size, model.generationsDone.length)
}
