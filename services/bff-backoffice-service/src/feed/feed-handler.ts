import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import type { EventDefinition } from '@melmastoon/events'
import type { Static } from 'typebox'
import { applyChange, type Change, type FeedDeps } from './change.ts'

type Describe<D extends EventDefinition> = (payload: Static<D['payload']>, type: string) => Change

/** Needs no Postgres: caches are invalidated and devices notified while it is down. */
export function feed<D extends EventDefinition>(
  deps: FeedDeps,
  definitions: readonly D[],
  describe: Describe<D>,
): EventHandler[] {
  return definitions.map((definition) =>
    on(definition, {
      afterCommit: (payload) => applyChange(deps, describe(payload, typeOf(definition))),
    }),
  )
}

/** The subject without platform and version: `reservation.checked_in`. */
function typeOf({ subject }: Pick<EventDefinition, 'subject'>): string {
  return subject.replace(/^melmastoon\./, '').replace(/\.v\d+$/, '')
}

/** For devices: these fields, where the event has them. */
export function pick<P extends object, K extends keyof P>(payload: P, names: readonly K[]) {
  return Object.fromEntries(names.map((name) => [name, payload[name]])) as Pick<P, K>
}
