import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { EventContext } from '@melmastoon/events'
import type { registry } from './registry.ts'

/** What a change by an operator needs besides its content. */
export interface StaffCall extends UpstreamCall {
  /** The same for every attempt: of the request, or the id of an offline intent. */
  readonly idempotencyKey: string
  /** Of an offline intent; stored by the upstream with the change. */
  readonly causationId?: string
  readonly cause: EventContext
}

export interface EventDeps {
  readonly registry: Pick<typeof registry, 'build'>
}

/** For the body of an upstream call. */
export function causationOf({ causationId }: Pick<StaffCall, 'causationId'>) {
  return causationId === undefined ? {} : { causationId }
}
