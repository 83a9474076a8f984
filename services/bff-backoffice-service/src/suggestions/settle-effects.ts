import type { ClientOf } from '@melmastoon/bff/upstreams'
import { createDeadline, type Deadline } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { type Id, type IsoDateTime, type TenantId, uuidToId } from '@melmastoon/domain'
import type { aiContract } from '@melmastoon/upstream-contracts/ai'
import type { inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import type { notificationContract } from '@melmastoon/upstream-contracts/notification'
import {
  type AssignEffect,
  type Effect,
  type RecordEffect,
  type StopSaleEffect,
  stopSaleFailed,
} from './decision-effect.ts'
import { claimEffects, type EffectRow, pruneEffects, settleEffect } from './effect-sql.ts'

export interface EffectDeps {
  /** As the role for jobs: effects of all tenants. */
  readonly relayDb: Database
  readonly errors: Pick<ErrorReporter, 'report'>
  readonly upstreams: {
    readonly ai: Pick<ClientOf<typeof aiContract>, 'recordDecision'>
    readonly inventory: Pick<ClientOf<typeof inventoryContract>, 'availability' | 'changeCapacity'>
    readonly notification: Pick<ClientOf<typeof notificationContract>, 'raise'>
  }
}

interface EffectCall {
  readonly tenantId: TenantId
  readonly deadline: Deadline
  readonly decisionId: Id<'sdl'>
}

const BATCH = 20
const PRUNED_ROWS = 1_000
const EFFECT_MS = 5_000

/** Right after a decision; what fails here is repeated by the job. */
export async function settleDecision(deps: EffectDeps, decisionId: Id<'sdl'>): Promise<void> {
  const due = await deps.relayDb.query(claimEffects(BATCH, decisionId))
  await Promise.all(due.map((row) => settle(deps, row)))
}

/** The job: all effects that are due, and the removal of old ones. */
export async function settleDueEffects(
  deps: EffectDeps,
  signal: AbortSignal,
): Promise<{ done: number; open: number; pruned: number }> {
  const count = { done: 0, open: 0 }
  for (;;) {
    signal.throwIfAborted()
    const due = await deps.relayDb.query(claimEffects(BATCH))
    const settled = await Promise.all(due.map((row) => settle(deps, row)))
    for (const isSettled of settled) count[isSettled ? 'done' : 'open'] += 1
    if (due.length < BATCH) break
  }
  const [row] = await deps.relayDb.query(pruneEffects(PRUNED_ROWS))
  return { ...count, pruned: row?.pruned ?? 0 }
}

/** False: it is not known to have happened, and is due again later. */
async function settle(deps: EffectDeps, row: EffectRow): Promise<boolean> {
  const decisionId = uuidToId('sdl', row.decision_id)
  const tenantId = uuidToId('tnt', row.tenant_id)
  using deadline = createDeadline(EFFECT_MS)
  try {
    await carryOut(deps, row.effect, { tenantId, deadline, decisionId })
  } catch (error) {
    deps.errors.report('suggestions', error)
    return isFinal(error) && (await giveUp(deps, row, { error, tenantId, decisionId }))
  }
  await deps.relayDb.query(settleEffect(row.id, 'done', null))
  return true
}

interface Failure {
  readonly error: UpstreamRejection
  readonly tenantId: TenantId
  readonly decisionId: Id<'sdl'>
}

/** Staff has to know that what they agreed to has not happened. */
async function giveUp(
  deps: EffectDeps,
  { id, effect }: EffectRow,
  { error, tenantId, decisionId }: Failure,
): Promise<boolean> {
  using deadline = createDeadline(EFFECT_MS)
  try {
    if (effect.kind === 'stop_sale') {
      const call = { tenantId, deadline, decisionId }
      await assign(deps, stopSaleFailed(effect), { ...call, suffix: '.failed' })
    }
  } catch (unraised) {
    deps.errors.report('suggestions', unraised)
    if (!isFinal(unraised)) return false
  }
  await deps.relayDb.query(settleEffect(id, 'failed', codeOf(error)))
  return true
}

function carryOut(deps: EffectDeps, effect: Effect, call: EffectCall): Promise<unknown> {
  switch (effect.kind) {
    case 'record':
      return record(deps, effect, call)
    case 'stop_sale':
      return stopSale(deps, effect, call)
    case 'assign':
      return assign(deps, effect, call)
  }
}

/** Every key contains the id of the decision: a repetition changes nothing. */
function record({ upstreams }: EffectDeps, effect: RecordEffect, call: EffectCall) {
  const { suggestionId, outcome, modifiedDelta, actor } = effect
  const { decisionId, ...rest } = call
  const decidedAt = effect.decidedAt as IsoDateTime
  const body = {
    decisionId,
    outcome,
    decidedAt,
    actor,
    ...(modifiedDelta !== null && { modifiedDelta }),
  }
  return upstreams.ai.recordDecision(
    { params: { suggestionId }, body },
    { ...rest, idempotencyKey: decisionId },
  )
}

async function stopSale({ upstreams }: EffectDeps, effect: StopSaleEffect, call: EffectCall) {
  const { propertyId, roomTypeId, from, to } = effect
  const { decisionId, ...rest } = call
  const found = await upstreams.inventory.availability({ query: { propertyId, from, to } }, rest)
  const night = found.roomTypes
    .find((type) => type.roomTypeId === roomTypeId)
    ?.nights.find((one) => one.night === from)
  if (night === undefined || night.available === 0) return
  const capacity = night.capacity - night.available
  // Rooms may have been sold since: then the capacity is another one, and so is the key.
  await upstreams.inventory.changeCapacity(
    { params: { roomTypeId }, body: { from, to, capacity } },
    { ...rest, idempotencyKey: `${decisionId}.${capacity}` },
  )
}

function assign(
  { upstreams }: EffectDeps,
  effect: AssignEffect,
  call: EffectCall & { readonly suffix?: string },
) {
  const { kind: _, ...content } = effect
  const { decisionId, suffix = '', ...rest } = call
  return upstreams.notification.raise(
    {
      body: {
        ...content,
        audience: [...content.audience],
        category: 'system',
        deduplicationKey: `decision:${decisionId}${suffix}`,
        causationId: decisionId,
      },
    },
    { ...rest, idempotencyKey: `${decisionId}${suffix}` },
  )
}

const BUSY: ReadonlySet<string | undefined> = new Set([
  'MELMASTOON.IDEMPOTENCY.IN_FLIGHT',
  'MELMASTOON.INVENTORY.BELOW_COMMITTED',
  'MELMASTOON.GENERAL.RATE_LIMITED',
])

/** A rejection would be the same next time; everything else may be temporary. */
function isFinal(error: unknown): error is UpstreamRejection {
  return error instanceof UpstreamRejection && !BUSY.has(error.code)
}

const codeOf = (error: UpstreamRejection) => error.code ?? `status ${error.status}`
