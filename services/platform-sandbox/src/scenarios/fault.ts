import { UPSTREAMS, type UpstreamName } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'

export const FAULT_KINDS = ['down', 'slow', 'hanging', 'unanswered', 'lying', 'flaky'] as const

export const SLOW_MS_MAX = 30_000
/** A hanging call ends after this time, whatever the caller's timeout. */
export const HANGING_MS_MAX = 60_000

const closed = { additionalProperties: false }

/** How many calls it affects; without it, all until it is restored. */
const counted = { times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })) }

export const Fault = Type.Union([
  /** Returns 503 immediately, or closes the connection. */
  Type.Object(
    { kind: Type.Literal('down'), reset: Type.Optional(Type.Boolean()), ...counted },
    closed,
  ),
  /** Works correctly, with a delay. */
  Type.Object(
    {
      kind: Type.Literal('slow'),
      delayMs: Type.Integer({ minimum: 1, maximum: SLOW_MS_MAX }),
      ...counted,
    },
    closed,
  ),
  /** The request is lost: nothing happens, and the call gets no response. */
  Type.Object({ kind: Type.Literal('hanging'), ...counted }, closed),
  /** The response is lost: the call takes effect, and its caller gets none, or a reset. */
  Type.Object(
    { kind: Type.Literal('unanswered'), reset: Type.Optional(Type.Boolean()), ...counted },
    closed,
  ),
  /** Works, but returns a response that violates the contract. */
  Type.Object({ kind: Type.Literal('lying'), ...counted }, closed),
  /** Returns 503 for this percentage of calls. */
  Type.Object(
    {
      kind: Type.Literal('flaky'),
      failPercent: Type.Integer({ minimum: 1, maximum: 100 }),
      ...counted,
    },
    closed,
  ),
])

export type Fault = Static<typeof Fault>

/** One operation of an upstream; `null` means all of them. */
export interface UpstreamPart {
  readonly upstream: UpstreamName
  readonly operation: string | null
}

export interface FaultyPart extends UpstreamPart {
  readonly fault: Fault
}

export function isUpstreamName(value: unknown): value is UpstreamName {
  return UPSTREAMS.some((name) => name === value)
}
