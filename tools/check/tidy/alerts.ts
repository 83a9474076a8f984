import type { Finding, Rule } from './finding.ts'
import type { RepositoryFile } from './repository.ts'
import { reportedMetrics } from './runbooks.ts'

const ALERTS = /^services\/([^/]+)\/alerts\.yml$/
const METRIC = /\bbff_(?:consumer|tenant_booking|backoffice)_([a-z0-9_]+)/g
/** Series that Prometheus derives from one histogram; a gauge may be named `…_count`, too. */
const OF_HISTOGRAM = /_(bucket|sum|count)$/

const ROUTE = /\broute(=~?)"([^"]+)"/g

/** Every alert uses reported metrics and existing routes, and names an existing runbook. */
export const alerts: Rule = (files) => {
  const isReported = reportedMetrics(files)
  const isPresent = (path: string) => files.some((file) => file.path === path)
  return files
    .filter(({ path }) => ALERTS.test(path))
    .flatMap((file) => [
      ...metricsOf(file)
        .filter((name) => !isReported(name) && !isReported(name.replace(OF_HISTOGRAM, '')))
        .map((name) => ({ path: file.path, message: `uses ${name}, which no service reports` })),
      ...unknownRoutes(file, files),
      ...alertsOf(file).flatMap((alert) => findIn(file, alert, isPresent)),
    ])
}

function metricsOf({ text }: RepositoryFile): string[] {
  return [...new Set([...text.matchAll(METRIC)].map(([, name = '']) => name))]
}

/** A rule for a route that was renamed would never fire. */
function unknownRoutes({ path, text }: RepositoryFile, files: readonly RepositoryFile[]) {
  const contract = path.replace('alerts.yml', 'contracts/openapi.json')
  const document = files.find((file) => file.path === contract)
  if (document === undefined) return []
  const routes = Object.keys(JSON.parse(document.text).paths).map(asRoute)
  const named = [...text.matchAll(ROUTE)].map(([, operator, value = '']) =>
    operator === '=' ? { value, fits: (route: string) => route === value } : matcher(value),
  )
  const missing = named.filter(({ fits }) => !routes.some(fits)).map(({ value }) => value)
  return [...new Set(missing)].map((route) => ({
    path,
    message: `uses the route ${route}, which the service does not have`,
  }))
}

/** As Prometheus matches: the whole value. */
function matcher(value: string) {
  const pattern = new RegExp(`^(?:${value})$`)
  return { value, fits: (route: string) => pattern.test(route) }
}

/** `/hotels/{propertyId}` in OpenAPI is `/hotels/:propertyId` in metrics. */
function asRoute(path: string): string {
  return path.replace(/\{([^}]+)\}/g, ':$1')
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
