import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'undici'
import { percentile } from '../harness/statistics.ts'
import { sendAs } from '../staff/staff-client.ts'
import type { Staff } from './hotel-state.ts'
import type { NotifiedDevices } from './notified-devices.ts'
import { planArrivals } from './plan-arrivals.ts'
import { type Planned, REQUEST_KINDS, type RequestKind } from './request-kinds.ts'

export interface Phase {
  readonly rate: number
  readonly seconds: number
  /** Requests go to them in turn. */
  readonly targets: readonly Pool[]
  /** Kinds that are not sent. */
  readonly without: readonly string[]
  /** By their streams. */
  readonly notified: NotifiedDevices
}

export interface Latencies {
  readonly count: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
}

export interface PhaseResult {
  /** From the planned time of each request to the end of its response. */
  readonly overall: Latencies
  /** The same for each target. */
  readonly byTarget: readonly Latencies[]
  readonly byKind: Readonly<Record<string, Latencies & { readonly rejected: number }>>
  readonly serverErrors: number
  /** Responses that are neither successful nor expected, with an example. */
  readonly unexpected: readonly string[]
  /** Requests that were repeated because of an old nonce. */
  readonly challenges: number
  /** Rows that the responses must have left in the ledger. */
  readonly ledgerRows: number
  readonly notSent: number
  /** How late the driver sent: a driver without CPU measures itself. */
  readonly sentLateP99Ms: number
}

const TICK_MS = 1
const EXAMPLES_MAX = 5
const SERVER_ERROR = 500

interface Sample {
  readonly kind: string
  readonly target: number
  readonly status: number
  readonly latencyMs: number
}

/**
 * Sends at a constant rate, whatever the responses do: a slow service receives as many requests as
 * a quick one, and the time that a request waits to be sent counts.
 */
export async function runPhase(staff: readonly Staff[], phase: Phase): Promise<PhaseResult> {
  const recorder = new Recorder()
  const plan = planArrivals(REQUEST_KINDS.filter(({ name }) => !phase.without.includes(name)))
  const senders = sendersOf(staff, phase.notified)
  const total = phase.rate * phase.seconds
  const startedAt = performance.now()
  const inFlight = new Set<Promise<void>>()
  for (let next = 0; next < total; ) {
    const elapsedMs = performance.now() - startedAt
    const due = Math.min(total, Math.floor((elapsedMs / 1_000) * phase.rate) + 1)
    for (; next < due; next += 1) {
      const kind = plan[next % plan.length]
      if (kind === undefined) continue
      const plannedAt = startedAt + (next / phase.rate) * 1_000
      const target = next % phase.targets.length
      const sent = sendOne(recorder, { kind, senders, phase, target, plannedAt })
      inFlight.add(sent)
      void sent.finally(() => inFlight.delete(sent))
    }
    await delay(TICK_MS)
  }
  await Promise.all(inFlight)
  return recorder.result(phase.targets.length)
}

type Senders = (kind: RequestKind) => Staff | undefined

/** Devices in turn, those of the roles that send the kind. */
function sendersOf(staff: readonly Staff[], notified: NotifiedDevices): Senders {
  const lists = new Map<RequestKind, { at: number; readonly list: readonly Staff[] }>()
  return (kind) => {
    const first = kind.followsEvents === true ? notified.take() : undefined
    if (first !== undefined) return first
    const known = lists.get(kind) ?? {
      at: 0,
      list: staff.filter(({ device }) => kind.usernames?.includes(device.account.username) ?? true),
    }
    lists.set(kind, known)
    known.at += 1
    return known.list[known.at % Math.max(1, known.list.length)]
  }
}

interface Sending {
  readonly kind: RequestKind
  readonly senders: Senders
  readonly phase: Phase
  readonly target: number
  readonly plannedAt: number
}

async function sendOne(
  recorder: Recorder,
  { kind, senders, phase, target, plannedAt }: Sending,
): Promise<void> {
  const sender = senders(kind)
  const planned = sender === undefined ? null : kind.plan(sender)
  const pool = phase.targets[target]
  if (sender === undefined || planned === null || pool === undefined) {
    recorder.notSent += 1
    return
  }
  recorder.sentLate.push(performance.now() - plannedAt)
  try {
    const { status, body, isRepeated } = await sendAs(sender.device, pool, planned.request)
    const latencyMs = performance.now() - plannedAt
    planned.onReply?.(status, body)
    if (isRepeated) recorder.challenges += 1
    recorder.note(kind, { kind: kind.name, target, status, latencyMs }, body)
  } catch (error) {
    fail(recorder, { kind, target, planned, plannedAt }, error)
  }
}

interface Failed {
  readonly kind: RequestKind
  readonly target: number
  readonly planned: Planned
  readonly plannedAt: number
}

/** A broken connection counts as an error of the service. */
function fail(recorder: Recorder, { kind, target, planned, plannedAt }: Failed, error: unknown) {
  planned.onReply?.(SERVER_ERROR, Buffer.alloc(0))
  const latencyMs = performance.now() - plannedAt
  const sample = { kind: kind.name, target, status: SERVER_ERROR, latencyMs }
  recorder.note(kind, sample, Buffer.from(String(error)))
}

class Recorder {
  readonly #samples: Sample[] = []
  readonly #unexpected = new Map<string, number>()
  readonly sentLate: number[] = []
  challenges = 0
  notSent = 0
  #ledgerRows = 0

  note(kind: RequestKind, sample: Sample, body: Buffer): void {
    this.#samples.push(sample)
    const { status } = sample
    const { code = body.toString().slice(0, 80) } = status < 300 ? {} : parse(body)
    if (!isUnknown(status, code)) this.#ledgerRows += kind.ledgerRows(status, body)
    if (status < 300 || kind.accepts?.includes(status) === true) return
    const text = `${kind.name}: ${status} ${code}`
    this.#unexpected.set(text, (this.#unexpected.get(text) ?? 0) + 1)
  }

  result(targets: number): PhaseResult {
    const all = this.#samples
    const kinds = [...new Set(all.map(({ kind }) => kind))]
    const unexpected = [...this.#unexpected].toSorted(([, a], [, b]) => b - a)
    return {
      overall: latenciesOf(all),
      byTarget: Array.from({ length: targets }, (_, at) =>
        latenciesOf(all.filter(({ target }) => target === at)),
      ),
      byKind: Object.fromEntries(
        kinds.map((name) => {
          const own = all.filter(({ kind }) => kind === name)
          const rejected = own.filter(({ status }) => status >= 300).length
          return [name, { ...latenciesOf(own), rejected }]
        }),
      ),
      serverErrors: all.filter(({ status }) => status >= SERVER_ERROR).length,
      unexpected: unexpected.slice(0, EXAMPLES_MAX).map(([text, count]) => `${count} × ${text}`),
      challenges: this.challenges,
      ledgerRows: this.#ledgerRows,
      notSent: this.notSent,
      sentLateP99Ms: percentile(this.sentLate, 0.99),
    }
  }
}

/** Rejected before the operator was known: nobody's activity. */
function isUnknown(status: number, code: string): boolean {
  return status === 401 || code === 'MELMASTOON.GENERAL.OVERLOADED'
}

function parse(body: Buffer): { readonly code?: string } {
  try {
    return JSON.parse(body.toString()) as { readonly code?: string }
  } catch {
    return {}
  }
}

function latenciesOf(samples: readonly Sample[]): Latencies {
  const all = samples.map(({ latencyMs }) => latencyMs)
  return {
    count: all.length,
    p50Ms: percentile(all, 0.5),
    p95Ms: percentile(all, 0.95),
    p99Ms: percentile(all, 0.99),
  }
}
