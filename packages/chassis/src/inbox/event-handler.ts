import type { EventDefinition, EventMessage } from '@melmastoon/events'
import type { Static } from 'typebox'
import type { Tx } from '../db/index.ts'

export interface EventSteps<P> {
  /**
   * `tenant`: the transaction is scoped to the tenant of the envelope, and an event without one is
   * rejected. `service` (default): a plain transaction on service-scoped tables.
   */
  scope?: 'tenant' | 'service'
  /** Database work only: it commits together with the record that the event was processed. */
  handle?: (tx: Tx, payload: P, event: EventMessage<P>) => Promise<void>
  /**
   * Work outside the database, such as cache invalidation; after the commit and before the
   * acknowledgement. Runs at least once, for duplicates too, so it must be idempotent.
   */
  afterCommit?: (payload: P, event: EventMessage<P>) => Promise<void> | void
}

/** The handler for the subjects of these definitions. Created by `on`. */
export interface EventHandler {
  readonly definitions: readonly EventDefinition[]
  readonly scope: 'tenant' | 'service'
  readonly handle: ((tx: Tx, event: EventMessage) => Promise<void>) | undefined
  readonly afterCommit: (event: EventMessage) => Promise<void>
}

/**
 * Handles an event. Several definitions are names of the same event by different producers (D19).
 *
 * With `handle` every event has one effect: a row in the inbox is written in its transaction, and
 * failures are counted there. Without it the handler needs no Postgres: an event is not recorded,
 * duplicates run again, and attempts are counted by the broker.
 */
export function on<D extends EventDefinition>(
  definitions: D | readonly D[],
  steps: EventSteps<Static<D['payload']>>,
): EventHandler {
  // The consumer validates every message against its definition before it calls a handler.
  type Typed = EventMessage<Static<D['payload']>>
  const { scope = 'service', handle, afterCommit } = steps
  return {
    definitions: [definitions].flat() as D[],
    scope,
    handle: handle && ((tx, event) => handle(tx, (event as Typed).payload, event as Typed)),
    afterCommit: async (event) => {
      await afterCommit?.((event as Typed).payload, event as Typed)
    },
  }
}
