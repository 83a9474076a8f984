import type { Rule } from './finding.ts'
import type { RepositoryFile } from './repository.ts'

/** `outbox_lag_seconds`, also followed by labels. */
const METRIC = /`([a-z]+(?:_[a-z0-9]+)+)(?:\{[^`]*\})?`/g
/** Reported by prom-client itself. */
const OF_NODE = /^nodejs_/

/** Operators look for the metrics that a runbook names: they must exist. */
export const runbooks: Rule = (files) => {
  const isReported = reportedMetrics(files)
  return files.filter(isRunbook).flatMap((file) => {
    const named = [...file.text.matchAll(METRIC)].map((match) => match[1] ?? '')
    return [...new Set(named)]
      .filter((name) => !OF_NODE.test(name) && !isReported(name))
      .map((name) => ({ path: file.path, message: `names ${name}, which no service reports` }))
  })
}

function isRunbook({ path }: RepositoryFile): boolean {
  return path.startsWith('docs/runbooks/')
}

/** Whether the code reports a metric of this name, given without its prefix. */
export function reportedMetrics(files: readonly RepositoryFile[]): (name: string) => boolean {
  const code = files.filter(({ path }) => /^(packages|services)\/[^/]+\/src\//.test(path))
  return (name) =>
    code.some(({ text }) => text.includes(`'${name}'`) || text.includes(`}_${name}\``))
}
