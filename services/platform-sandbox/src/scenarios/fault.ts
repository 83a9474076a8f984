import { UPSTREAMS, type UpstreamName } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'

export const FAULT_KINDS = ['down', 'slow', 'hanging', 'lying', 'flaky'] as const

export const SLOW_MS_MAX = 30_000
/** However patient the caller, a call that hangs ends some time. */
export const HANGING_MS_MAX = 60_000

const closed = { additionalProperties: false }

export const Fault = Type.Union([
  /** Answers 503 at once, or cuts the connection. */
  Type.Object({ kind: Type.Literal('down'), reset: Type.Optional(Type.Boolean()) }, closed),
  /** Does everything right, later. */
  Type.Object(
    {
      kind: Type.Literal('slow'),
      delayMs: Type.Integer({ minimum: 1, maximum: SLOW_MS_MAX }),
    },
    closed,
  ),
  /** Accepts the call and never answers. */
  Type.Object({ kind: Type.Literal('hanging') }, closed),
  /** Does everything right and answers something that breaks the contract. */
  Type.Object({ kind: Type.Literal('lying') }, closed),
  /** Answers 503 to so many of a hundred calls. */
  Type.Object(
    {
      kind: Type.Literal('flaky'),
      failPercent: Type.Integer({ minimum: 1, maximum: 100 }),
    },
    closed,
  ),
])

export type Fault = Static<typeof Fault>

/** One operation of an upstream, or with `null` all of them. */
export interface UpstreamPart {
  readonly upstream: UpstreamName
  readonly operation: string | null
}

export interface BrokenPart extends UpstreamPart {
  readonly fault: Fault
}

export function isUpstreamName(value: unknown): value is UpstreamName {
  return UPSTREAMS.some((name) => name === value)
}
