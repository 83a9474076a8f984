import { ID_PREFIXES } from '@melmastoon/domain'

const ID = new RegExp(`^(${Object.keys(ID_PREFIXES).join('|')})_[0-9A-HJKMNP-TV-Z]{26}$`)
const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

/** Members with a random value that has no meaning for callers. */
const RANDOM = new Set(['url'])
const RESERVATION_CODE = /^[2-9A-HJ-NP-Z]{8}$/

/**
 * Replaces ids by the order of their first appearance, and times and random texts by their kind,
 * so that two implementations can be compared.
 */
export function normalizer(): (value: unknown) => unknown {
  const ids = new Map<string, string>()
  const replace = (text: string): string => {
    const prefix = ID.exec(text)?.[1]
    if (prefix === undefined) {
      if (INSTANT.test(text)) return '<time>'
      return RESERVATION_CODE.test(text) ? '<code>' : text
    }
    const known = ids.get(text) ?? `<${prefix} ${ids.size}>`
    ids.set(text, known)
    return known
  }
  const visit = (value: unknown): unknown => {
    if (typeof value === 'string') return replace(value)
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, RANDOM.has(name) ? '<random>' : visit(member)])
    return Object.fromEntries(members)
  }
  return visit
}
