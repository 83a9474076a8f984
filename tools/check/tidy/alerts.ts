import type { Finding, Rule } from './finding.ts'
import type { RepositoryFile } from './repository.ts'
import { reportedMetrics } from './runbooks.ts'

const ALERTS = /^services\/([^/]+)\/alerts\.yml$/
const METRIC = /\bbff_(?:consumer|tenant_booking|backoffice)_([a-z0-9_]+)/g
/** Series that Prometheus derives from one histogram. */
const OF_HISTOGRAM = /_(bucket|sum|count)$/

/** Every alert uses reported metrics and names an existing runbook. */
export const alerts: Rule = (files) => {
  const isReported = reportedMetrics(files)
  const isPresent = (path: string) => files.some((file) => file.path === path)
  return files
    .filter(({ path }) => ALERTS.test(path))
    .flatMap((file) => [
      ...metricsOf(file)
        .filter((name) => !isReported(name))
        .map((name) => ({ path: file.path, message: `uses ${name}, which no service reports` })),
      ...alertsOf(file).flatMap((alert) => findIn(file, alert, isPresent)),
    ])
}

function metricsOf({ text }: RepositoryFile): string[] {
  const named = [...text.matchAll(METRIC)].map(([, name = '']) => name.replace(OF_HISTOGRAM, ''))
  return [...new Set(named)]
}

interface Alert {
  readonly name: string
  readonly runbook: string | undefined
}

function alertsOf({ text }: RepositoryFile): Alert[] {
  return text
    .split(/^\s*- alert: /m)
    .slice(1)
    .map((part) => ({
      name: part.split('\n', 1)[0] ?? '',
      runbook: part.match(/^\s*runbook: (\S+)$/m)?.[1],
    }))
}

function findIn(
  { path }: RepositoryFile,
  { name, runbook }: Alert,
  isPresent: (path: string) => boolean,
): Finding[] {
  if (runbook === undefined) return [{ path, message: `${name} has no runbook` }]
  return isPresent(runbook) ? [] : [{ path, message: `${name}: there is no ${runbook}` }]
}
