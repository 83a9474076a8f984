import { isProblem } from '@melmastoon/domain'
import { type OutboundMessage, type PublishOutcome, redactReason } from '../bus/index.ts'
import { crashPoint } from '../lifecycle/index.ts'
import { toOutboundMessage } from './outbound-message.ts'
import type { OutboxRow } from './read-batch-sql.ts'
import type { RelaySettings } from './relay-options.ts'
import type { FailedRow } from './relay-sql.ts'

export interface BatchResult {
  published: OutboxRow[]
  failed: FailedRow[]
  /** Neither sent nor counted: they wait behind a row of their key that was not published. */
  waiting: OutboxRow[]
  /** The reason if the broker was unavailable. */
  unavailable: string | undefined
}

/** One call to the bus; smaller than a batch, so that a crash repeats less. */
const CHUNK = 250

type Settings = Pick<RelaySettings, 'bus' | 'publishTimeoutMs' | 'validate' | 'contractOf'>

/**
 * Publishes rows in order. The first failure of a key decides for it: later rows of the key are
 * neither sent nor counted, they wait. A row that breaks its contract is dead, and its key
 * continues. The result has no row that could not be sent because the broker is unavailable.
 */
export async function publishBatch(
  settings: Settings,
  rows: readonly OutboxRow[],
  readAt: string,
): Promise<BatchResult> {
  const result: BatchResult = { published: [], failed: [], waiting: [], unavailable: undefined }
  const keys: KeyStates = { behind: new Set(), stopped: new Map() }
  const sound = rows.filter((row) => checkRow(settings, row, result))
  for (let at = 0; at < sound.length; at += CHUNK) {
    const chunk = sound.slice(at, at + CHUNK).filter((row) => maySend(row, result, keys))
    const messages = chunk.map((row) => toOutboundMessage(row, readAt))
    const outcomes = messages.length === 0 ? [] : await publishWithin(settings, messages)
    chunk.forEach((row, index) => {
      sort(row, outcomes[index] ?? MISSING, { result, keys })
    })
    crashPoint('relay.mid_batch')
    if (result.unavailable !== undefined) break
  }
  return result
}

interface KeyStates {
  /** A row of the log waits behind `outbox`, and later rows behind it. */
  behind: Set<string>
  /** By its first failure: its later rows wait for that row, or for the broker. */
  stopped: Map<string, 'rejected' | 'unavailable'>
}

function maySend(row: OutboxRow, result: BatchResult, { behind, stopped }: KeyStates): boolean {
  const reason = stopped.get(row.orderingKey)
  if (row.isBehind) behind.add(row.orderingKey)
  if (reason === undefined && !behind.has(row.orderingKey)) return true
  if (reason !== 'unavailable') result.waiting.push(row)
  return false
}

const MISSING: PublishOutcome = { ok: false, kind: 'unavailable', reason: 'no outcome reported' }

function sort(
  row: OutboxRow,
  outcome: PublishOutcome,
  { result, keys: { stopped } }: { result: BatchResult; keys: KeyStates },
): void {
  if (outcome.ok) {
    result.published.push(row)
    return
  }
  const reason = stopped.get(row.orderingKey)
  if (reason === 'rejected') result.waiting.push(row)
  if (reason !== undefined) return
  stopped.set(row.orderingKey, outcome.kind)
  if (outcome.kind === 'unavailable') result.unavailable ??= redactReason(outcome.reason)
  else result.failed.push({ row, error: redactReason(outcome.reason), fatal: false })
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
    const reason = error instanceof Error ? error.message : 'invalid'
    result.failed.push({ row, error: redactReason(reason), fatal: true })
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
