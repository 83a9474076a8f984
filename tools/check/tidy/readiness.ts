import type { Finding, Rule } from './finding.ts'
import type { RepositoryFile } from './repository.ts'

const RUNBOOKS = 'docs/runbooks/README.md'
const DEPENDENCIES = ['postgres', 'redis-session', 'redis-cache']
const REQUIRED = /^\s*requiredDependencies: \[([^\]]*)\]/m
/**
 * `| bff-consumer-service | 200 | 200 | 200 |`: the status while that dependency is unavailable.
 */
const ROW = /^\| `([a-z-]+)`\s*\|\s*(\d{3})\s*\|\s*(\d{3})\s*\|\s*(\d{3})\s*\|$/gm

/** The documented responses of `/health/ready` match every service. */
export const readiness: Rule = (files) => {
  const text = files.find(({ path }) => path === RUNBOOKS)?.text
  if (text === undefined) return []
  const documented = new Map(
    [...text.matchAll(ROW)].map(([, name = '', ...statuses]) => [name, statuses.join(' ')]),
  )
  const defined = new Map(files.flatMap((file) => definitionOf(file, files)))
  const names = new Set([...documented.keys(), ...defined.keys()])
  return [...names].flatMap((name) => compare(name, documented.get(name), defined.get(name)))
}

function compare(name: string, documented?: string, defined?: string): Finding[] {
  if (documented === defined) return []
  const message =
    documented === undefined
      ? `does not list ${name}, whose definition has ${defined}`
      : `states that ${name} returns ${documented}, but its definition has ${defined}`
  return [{ path: RUNBOOKS, message }]
}

function definitionOf(
  { path, text }: RepositoryFile,
  files: readonly RepositoryFile[],
): [string, string][] {
  const [, list] = (path.endsWith('/service.ts') && REQUIRED.exec(text)) || []
  if (list === undefined) return []
  const statuses = DEPENDENCIES.map((name) => (list.includes(`'${name}'`) ? 503 : 200))
  return [[serviceName(path, files), statuses.join(' ')]]
}

/** By the manifest of the package: `melmastoon.service.name`. */
function serviceName(path: string, files: readonly RepositoryFile[]): string {
  const manifest = files.find(
    (file) => file.path.endsWith('/package.json') && path.startsWith(file.path.slice(0, -12)),
  )
  return JSON.parse(manifest?.text ?? '{}').melmastoon?.service?.name ?? path
}
