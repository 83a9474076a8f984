import { createHash } from 'node:crypto'

/** Equal for repetitions of one action: actor and cause may differ, what it does may not. */
export function fingerprint(action: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(action).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url')
}
