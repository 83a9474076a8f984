import type { EventRegistry } from './registry.ts'
import { diffSchemas } from './schema-diff.ts'
import { asSchema } from './schema-walk.ts'

/** The published contracts as plain JSON, committed next to the events they describe. */
export interface RegistrySnapshot {
  readonly [subject: string]: {
    readonly producer: string
    readonly retentionClass: string
    readonly payload: unknown
  }
}

export function snapshotRegistry(registry: EventRegistry): RegistrySnapshot {
  const sorted = registry.definitions.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))
  return Object.fromEntries(
    sorted.map(({ subject, producer, retentionClass, payload }) => [
      subject,
      { producer, retentionClass, payload: JSON.parse(JSON.stringify(payload)) as unknown },
    ]),
  )
}

/** Breaking changes against the committed snapshot; new subjects are always allowed. */
export function diffSnapshots(before: RegistrySnapshot, after: RegistrySnapshot): string[] {
  return Object.entries(before).flatMap(([subject, old]) => {
    const next = after[subject]
    if (next === undefined) return [`${subject}: removed`]
    const changes = diffSchemas(asSchema(old.payload), asSchema(next.payload))
    if (old.producer !== next.producer) changes.push(': producer changed')
    if (old.retentionClass !== next.retentionClass) changes.push(': retention class changed')
    return changes.map((change) => `${subject}${change}`)
  })
}
