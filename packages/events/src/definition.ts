import type { Static, TSchema } from 'typebox'
import type { RetentionClass } from './envelope.ts'

/** One subject in one version: contract, retention, sampling and privacy in one place (P6). */
export interface EventDefinition<Subject extends string = string, S extends TSchema = TSchema> {
  readonly subject: Subject
  readonly version: number
  readonly producer: string
  readonly payload: S
  readonly retentionClass: RetentionClass
  readonly retentionDays: number
  /** Share of events that are published; flags may change it for operational events only (D13). */
  readonly sampleRate: number
  readonly debounceSeconds?: number
  /** Fields of this payload that are not on the shared allow-list and contain no personal data. */
  readonly piiAllowed?: readonly string[]
  /** Events with the same key are delivered in commit order: the id of the aggregate. */
  orderingKey(payload: Static<S>): string
}

export function defineEvent<const Subject extends string, S extends TSchema>(
  definition: EventDefinition<Subject, S>,
): EventDefinition<Subject, S> {
  return Object.freeze(definition)
}
