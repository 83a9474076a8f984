const SUBJECT = /^melmastoon((?:\.[a-z][a-z0-9_]*){2,6})\.v([1-9][0-9]{0,2})$/
const SCHEMA_BASE = 'https://schemas.melmastoon.ghasi.io/'

export const SUBJECT_PATTERN: string = SUBJECT.source

export interface SubjectParts {
  /** `bff.tenant.booking.draft.created` */
  readonly name: string
  readonly version: number
}

/** `melmastoon.<domain>…<aggregate>.<verb in the past tense>.v<n>`; null for anything else. */
export function parseSubject(subject: string): SubjectParts | null {
  const match = SUBJECT.exec(subject)
  if (match?.[1] === undefined) return null
  return { name: match[1].slice(1), version: Number(match[2]) }
}

/** The subject `melmastoon.bff.tenant.a.b.v1` is described at `…/bff-tenant/a-b/v1.json`. */
export function schemaUriOf(subject: string): string {
  const parts = parseSubject(subject)
  if (parts === null) throw new TypeError(`not an event subject: ${subject}`)
  const segments = parts.name.replaceAll('_', '-').split('.')
  const domainLength = segments[0] === 'bff' && segments.length > 2 ? 2 : 1
  const domain = segments.slice(0, domainLength).join('-')
  const name = segments.slice(domainLength).join('-')
  return `${SCHEMA_BASE}${domain}/${name}/v${parts.version}.json`
}
