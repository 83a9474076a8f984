import type { Clock } from '@melmastoon/chassis/clock'
import { finalAmong, fingerprint, isStorable } from '@melmastoon/chassis/idempotency'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { isProblem, type Problem, problem, type TenantId } from '@melmastoon/domain'
import type { Contract, Operations } from '@melmastoon/upstream-contracts'
import type { AuditLog } from './audit-log.ts'

const DAY_MS = 86_400_000

type Outcome = { readonly value: unknown } | { readonly rejection: Problem }

interface Stored {
  readonly fingerprint: string
  readonly expiresAtMs: number
  /** Null after a temporary error: the same request may be sent again. */
  readonly outcome: Outcome | null
}

export interface CallOptions {
  readonly tenantId: TenantId
  readonly idempotencyKey?: string
}

/** A handler as the upstream has it: synchronous, so that a call is atomic. */
export type Handler = (input: never, call: { tenantId: TenantId; key: string }) => unknown

/**
 * The idempotency of an upstream: for 24 hours the first definite response to a key is repeated,
 * rejections included; the same key with another request is rejected.
 */
export class KeyedCalls {
  readonly #stored = new Map<string, Stored>()
  readonly #clock: Clock
  readonly #audit: AuditLog

  constructor(clock: Clock, audit: AuditLog) {
    this.#clock = clock
    this.#audit = audit
  }

  /** A client of these handlers, with the errors that the client over HTTP throws. */
  clientOf<O extends Operations>(contract: Contract<O>, handlers: Record<string, Handler>): object {
    const entries = Object.entries(handlers).map(([name, handler]) => {
      const operation = `${contract.upstream}.${name}`
      const { idempotent, errorCodes = [], finalErrorCodes } = contract.operations[name] ?? {}
      const finalRejections = new Set(finalAmong(errorCodes, finalErrorCodes))
      const run = (input: unknown, call: CallOptions) => {
        const { tenantId, idempotencyKey: key = '' } = call
        const work = () => handler(input as never, { tenantId, key })
        const received = { operation, key: idempotent ? key : null, input, tenantId }
        return this.#receive(received, work, finalRejections)
      }
      const respond = async (input: unknown, call: CallOptions) =>
        respondAs(contract.upstream, () => run(input, call))
      return [name, respond]
    })
    return Object.fromEntries(entries) as object
  }

  #receive(
    call: { operation: string; key: string | null; input: unknown; tenantId: TenantId },
    work: () => unknown,
    finalRejections: ReadonlySet<Problem['code']>,
  ): unknown {
    const { operation, key, input, tenantId } = call
    const scope = `${tenantId} ${operation} ${String(key)}`
    const stored = key === null ? undefined : this.#live(scope)
    const print = fingerprint(input).value
    const earlier = stored === undefined ? null : replay(stored, print)
    const outcome = earlier ?? attempt(work)
    if (key !== null && earlier === null) {
      const expiresAtMs = stored?.expiresAtMs ?? this.#clock.nowMs() + DAY_MS
      const kept = isFinal(outcome, finalRejections) ? outcome : null
      this.#stored.set(scope, { fingerprint: print, expiresAtMs, outcome: kept })
    }
    this.#audit.add(tenantId, {
      kind: 'call',
      operation,
      key,
      input,
      isReplay: earlier !== null,
      outcome: 'value' in outcome ? 'ok' : outcome.rejection.code,
    })
    if ('rejection' in outcome) throw outcome.rejection
    return structuredClone(outcome.value)
  }

  #live(scope: string): Stored | undefined {
    const stored = this.#stored.get(scope)
    return stored !== undefined && stored.expiresAtMs > this.#clock.nowMs() ? stored : undefined
  }
}

function attempt(work: () => unknown): Outcome {
  try {
    return { value: work() }
  } catch (error) {
    if (isProblem(error)) return { rejection: error }
    throw error
  }
}

function isFinal(outcome: Outcome, finalRejections: ReadonlySet<Problem['code']>): boolean {
  if ('value' in outcome) return true
  const { status, code } = outcome.rejection
  return isStorable(status, code, finalRejections)
}

/** The response to a key that was used before; null: the request is to be tried again. */
function replay(stored: Stored, print: string): Outcome | null {
  if (stored.fingerprint === print) return stored.outcome
  return { rejection: problem('MELMASTOON.IDEMPOTENCY.KEY_REUSED') }
}

function respondAs(upstream: string, run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    if (!isProblem(error)) throw error
    const { code, status, extensions } = error
    if (status >= 500) throw problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE', { cause: error })
    throw new UpstreamRejection(upstream, status, { ...extensions, status, code })
  }
}
