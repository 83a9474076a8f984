import { hash } from 'node:crypto'

/** SHA-256 of the normalised query (domain model §2.2). */
export function hashQuery(queryText: string): string {
  return `sha256:${hash('sha256', queryText)}`
}
