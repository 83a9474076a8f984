import { hash } from 'node:crypto'
import type { PageRequest } from './search-query.ts'

/** SHA-256 of the normalised query (domain model §2.2); made only when somebody keeps it. */
export function hashQuery({ queryText }: Pick<PageRequest, 'queryText'>): string {
  return `sha256:${hash('sha256', queryText)}`
}
