import { createHash } from 'node:crypto'
import type { EventDefinition } from './definition.ts'
import { EventEnvelope } from './envelope.ts'

const hashes = new WeakMap<EventDefinition, string>()
const checked = new WeakMap<object, string>()

/** Identifies what an event is checked against: the schemas of envelope and payload. */
export function contractHash(definition: EventDefinition): string {
  const known = hashes.get(definition)
  if (known !== undefined) return known
  const schemas = JSON.stringify([EventEnvelope, definition.payload])
  const hash = createHash('sha256').update(schemas).digest('base64url').slice(0, 16)
  hashes.set(definition, hash)
  return hash
}

export function markChecked(event: object, definition: EventDefinition): void {
  checked.set(event, contractHash(definition))
}

/**
 * The contract that this event was checked against when it was built. Undefined for any other
 * object, also for a changed copy of an event.
 */
export function checkedContract(event: object): string | undefined {
  return checked.get(event)
}
