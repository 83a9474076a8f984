import type { Rule } from './finding.ts'
import { reportedMetrics } from './reported-metrics.ts'
import type { RepositoryFile } from './repository.ts'

/** `outbox_lag_seconds`, also with labels behind it. */
const METRIC = /`([a-z]+(?:_[a-z0-9]+)+)(?:\{[^`]*\})?`/g
/** Reported by prom-client itself. */
const OF_NODE = /^nodejs_/

/** An operator looks for the metrics that a runbook names: they must be there. */
export const runbooks: Rule = (files) => {
  const isReported = reportedMetrics(files)
  return files.filter(isRunbook).flatMap((file) => {
    const named = [...file.text.matchAll(METRIC)].map((match) => match[1] ?? '')
    return [...new Set(named)]
      .filter((name) => !OF_NODE.test(name) && !isReported(name))
      .map((name) => ({ path: file.path, message: `names ${name}, which nothing reports` }))
  })
}

function isRunbook({ path }: RepositoryFile): boolean {
  return path.startsWith('docs/runbooks/')
}
