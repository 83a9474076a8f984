import type { Static, TSchema } from 'typebox'
import type { RetentionClass } from './envelope.ts'

/** One subject in one version: contract, keeping, sampling and privacy in one place (P6). */
export interface EventDefinition<Subject extends string = string, S extends TSchema = TSchema> {
  readonly subject: Subject
  readonly version: number
  readonly producer: string
  readonly payload: S
  readonly retentionClass: RetentionClass
  readonly retentionDays: number
  /** Share of events kept; flags may move it for operational events only (D13). */
  readonly sampleRate: number
  readonly debounceSeconds?: number
  /** Fields of this payload that the shared allow-list does not know and that hold no person. */
  readonly piiAllowed?: readonly string[]
  /** Events with the same key are delivered in the order of their commit: the aggregate's id. */
  orderingKey(payload: Static<S>): string
}

export function defineEvent<const Subject extends string, S extends TSchema>(
  definition: EventDefinition<Subject, S>,
): EventDefinition<Subject, S> {
  return Object.freeze(definition)
}
