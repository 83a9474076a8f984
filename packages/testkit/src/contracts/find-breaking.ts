import { diffSnapshots, type RegistrySnapshot } from '@melmastoon/events'
import { diffOpenApi } from '../openapi/diff-openapi.ts'
import { infoOf } from './render-documents.ts'

interface Change {
  /** Texts of the two documents, as committed. */
  readonly before: string
  readonly after: string
}

/** Breaking changes for clients of the old document; a new major version may have them (P14). */
export function findBreakingApi({ before, after }: Change): string[] {
  if (mayBreak(infoOf(before).version, infoOf(after).version)) return []
  const found = diffOpenApi(JSON.parse(before) as Json, JSON.parse(after) as Json)
  return found.map(({ at, rule }) => `${at}: ${rule}`)
}

/**
 * Breaking changes for consumers of the old events (P6). A new major version of the service may
 * remove a subject, but not change one: a subject has its own version.
 */
export function findBreakingEvents(
  { before, after }: Change,
  versions: { readonly before: string; readonly after: string },
): string[] {
  const old = JSON.parse(before) as RegistrySnapshot
  const next = JSON.parse(after) as RegistrySnapshot
  const remaining = Object.entries(old).filter(([subject]) => Object.hasOwn(next, subject))
  const mayRetire = mayBreak(versions.before, versions.after)
  return diffSnapshots(mayRetire ? Object.fromEntries(remaining) : old, next)
}

/** As in Semantic Versioning, where the minor number of 0.x counts as the major one. */
export function mayBreak(before: string, after: string): boolean {
  const [oldMajor = 0, oldMinor = 0] = before.split('.').map(Number)
  const [major = 0, minor = 0] = after.split('.').map(Number)
  return major > oldMajor || (major === 0 && oldMajor === 0 && minor > oldMinor)
}

type Json = Readonly<Record<string, unknown>>
