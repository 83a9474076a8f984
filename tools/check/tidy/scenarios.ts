import type { Finding, Rule } from './finding.ts'
import { isTest } from './repository.ts'

/** Also of a table, `it.each([…])('PAY-55 …')`. */
const OWNED =
  /(?:\b(?:it|test)(?:\.[a-z]+(?:\([^)]*\))?)*|\))\(\s*['"`]((?:(?:IDEM|OBX|SF|RLS|HOLD|PAY)-|SEC-H)\d+)/g

const range = (family: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${family}${String(from + i).padStart(2, '0')}`)

/** The failure scenarios that the product guarantees to handle. */
const GUARANTEED = [
  ...range('IDEM-', 1, 25),
  'IDEM-27',
  ...range('OBX-', 1, 7),
  'OBX-10',
  ...range('OBX-', 12, 16),
  ...range('OBX-', 18, 20),
  'OBX-22',
  ...range('SF-', 1, 9),
  ...range('RLS-', 1, 16),
  'RLS-20',
  ...range('HOLD-', 0, 9),
  'HOLD-11',
  'HOLD-12',
  'HOLD-14',
  'HOLD-15',
  ...range('SEC-H', 1, 13),
  'PAY-01',
  ...range('PAY-', 6, 8),
  'PAY-11',
  'PAY-12',
  ...range('PAY-', 14, 20),
  ...range('PAY-', 33, 35),
  ...range('PAY-', 37, 51),
  ...range('PAY-', 53, 55),
  ...range('PAY-', 57, 60),
]

/** Long forms repeat a scenario that a default form owns; the test of this rule uses samples. */
const NOT_OWNERS = /\.faults\.|^tools\/check\//

/** A service, or everything else. */
const partOf = (path: string) => /^services\/[^/]+/.exec(path)?.[0] ?? ''

/**
 * Each scenario is owned by one test file, with its id in a test name. Services may repeat it
 * through their own routes, with one owner each.
 */
export const scenarios: Rule = (files) => {
  const owners = new Map<string, string[]>()
  for (const file of files.filter((f) => isTest(f.path) && !NOT_OWNERS.test(f.path))) {
    for (const match of file.text.matchAll(OWNED)) {
      const id = match[1] ?? ''
      owners.set(id, [...(owners.get(id) ?? []), file.path])
    }
  }
  const payments = [...owners.keys()].filter((id) => id.startsWith('PAY-'))
  return [...GUARANTEED, ...payments].flatMap((id) => ownerFindings(id, owners.get(id) ?? []))
}

/** Rooms are held by the sandbox and, over HTTP, by the booking service: each owns these. */
const OWNED_PER_SERVICE = /^HOLD-/

function ownerFindings(id: string, paths: readonly string[]): Finding[] {
  const distinct = [...new Set(paths)]
  if (OWNED_PER_SERVICE.test(id)) {
    const services = new Set(distinct.map((path) => path.split('/', 2).join('/')))
    if (services.size > 1 && services.size === distinct.length) return []
  }
  if (distinct.length === 0) return [{ path: 'tests', message: `no test owns scenario ${id}` }]
  return [...Map.groupBy(distinct, partOf).values()].flatMap((owners) =>
    owners.length === 1
      ? []
      : [{ path: owners.join(', '), message: `scenario ${id} has more than one owner` }],
  )
}
