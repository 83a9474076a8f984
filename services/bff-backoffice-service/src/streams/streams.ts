import type { TenantId } from '@melmastoon/domain'
import type { Operator } from '../access/operator.ts'
import type { Channel } from './channels.ts'
import type { StreamOutput } from './device-stream.ts'
import type { StreamEvent } from './stream-event.ts'

export interface OpenRequest {
  readonly lastEventId: string | undefined
  /** Called when nothing can be rejected any more: sends the head of the response. */
  readonly start: () => StreamOutput
}

export interface PollRequest {
  readonly after: string | undefined
  readonly limit: number
}

export interface PolledEvent {
  readonly id: string
  readonly event: Channel
  readonly data: Readonly<Record<string, unknown>>
}

/** The same events that a stream would have sent. */
export interface Polled {
  readonly events: readonly PolledEvent[]
  /** For the next poll, or for a stream. */
  readonly lastEventId: string
  /** Events are missing: what to read again. */
  readonly gap: { readonly refetch: readonly Channel[] } | null
  readonly hasMore: boolean
}

/** Changes that reach the devices of a tenant. */
export interface Streams extends AsyncDisposable {
  /** @throws Problem DEPENDENCY_UNAVAILABLE: nothing was stored */
  publish(tenantId: TenantId, events: StreamEvent | readonly StreamEvent[]): Promise<void>
  /** Resolves when the stream is up to date; from then on it receives events until it ends. */
  open(operator: Operator, request: OpenRequest): Promise<void>
  poll(operator: Operator, request: PollRequest): Promise<Polled>
  /** Continues the device's stream with the token of this request. False: it has none. */
  renew(operator: Operator): Promise<boolean>
  /** Of this process. */
  readonly count: number
  /** Ends all streams with `bye`. */
  stop(): Promise<void>
}
