import { isProblem } from '@melmastoon/domain'
import { type OutboundMessage, type PublishOutcome, redactReason } from '../bus/index.ts'
import { crashPoint } from '../lifecycle/index.ts'
import { toOutboundMessage } from './outbound-message.ts'
import type { RelaySettings } from './relay-options.ts'
import type { FailedRow, OutboxRow } from './relay-sql.ts'

export interface BatchResult {
  published: OutboxRow[]
  failed: FailedRow[]
  /** The reason if the broker was unavailable. */
  unavailable: string | undefined
}

/** One call to the bus; smaller than a batch, so that a crash repeats less. */
const CHUNK = 250

type Settings = Pick<RelaySettings, 'bus' | 'publishTimeoutMs' | 'validate' | 'contractOf'>

/**
 * Publishes rows in order. The first failure of a key decides for it: later rows of the key are
 * neither sent nor counted, they wait in the table. A row that breaks its contract is dead, and its
 * key continues.
 */
export async function publishBatch(
  settings: Settings,
  rows: readonly OutboxRow[],
): Promise<BatchResult> {
  const result: BatchResult = { published: [], failed: [], unavailable: undefined }
  const stoppedKeys = new Set<string>()
  const sound = rows.filter((row) => checkRow(settings, row, result))
  for (let at = 0; at < sound.length; at += CHUNK) {
    const chunk = sound.slice(at, at + CHUNK).filter((row) => !stoppedKeys.has(row.orderingKey))
    const outcomes = await publishWithin(settings, chunk.map(toOutboundMessage))
    chunk.forEach((row, index) => {
      sort(row, outcomes[index] ?? MISSING, { result, stoppedKeys })
    })
    crashPoint('relay.mid_batch')
    if (result.unavailable !== undefined) break
  }
  return result
}

const MISSING: PublishOutcome = { ok: false, kind: 'unavailable', reason: 'no outcome reported' }

function sort(
  row: OutboxRow,
  outcome: PublishOutcome,
  { result, stoppedKeys }: { result: BatchResult; stoppedKeys: Set<string> },
): void {
  if (outcome.ok) {
    result.published.push(row)
    return
  }
  if (stoppedKeys.has(row.orderingKey)) return
  stoppedKeys.add(row.orderingKey)
  if (outcome.kind === 'unavailable') result.unavailable ??= redactReason(outcome.reason)
  else result.failed.push(failure(row, outcome.reason, false))
}

function checkRow(settings: Settings, row: OutboxRow, result: BatchResult): boolean {
  const { validate, contractOf } = settings
  if (validate === undefined) return true
  if (row.contract !== null && row.contract === contractOf?.(row.subject)) return true
  try {
    validate({ envelope: JSON.parse(row.envelope), payload: JSON.parse(row.payload) })
    return true
  } catch (error) {
    if (isUnknownSubject(error)) return true
    result.failed.push(failure(row, error instanceof Error ? error.message : 'invalid', true))
    return false
  }
}

/**
 * A newer version of the service wrote and validated the event. During a rollout an older relay
 * publishes it; only events that break a known contract are dead.
 */
function isUnknownSubject(error: unknown): boolean {
  if (!isProblem(error)) return false
  const isUnknown = ({ pointer, code }: { pointer: string; code: string }) =>
    pointer === '/envelope/subject' && code === 'unknown'
  return error.errors?.some(isUnknown) ?? false
}

function failure({ shard, seq }: OutboxRow, reason: string, fatal: boolean): FailedRow {
  return { shard, seq, error: redactReason(reason), fatal }
}

/** A publish without a response counts as an outage; if it succeeds later, it is a duplicate. */
async function publishWithin(
  { bus, publishTimeoutMs }: Settings,
  messages: OutboundMessage[],
): Promise<PublishOutcome[]> {
  const { promise: late, resolve } = Promise.withResolvers<PublishOutcome[]>()
  const giveUp = (reason: string) =>
    messages.map((): PublishOutcome => ({ ok: false, kind: 'unavailable', reason }))
  const timer = setTimeout(() => resolve(giveUp('the broker did not respond')), publishTimeoutMs)
  try {
    return await Promise.race([bus.publish(messages), late])
  } catch (error) {
    return giveUp(error instanceof Error ? error.message : String(error))
  } finally {
    clearTimeout(timer)
  }
}
