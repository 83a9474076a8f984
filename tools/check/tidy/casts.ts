import type { Finding, Rule } from './finding.ts'
import { isTypeScript } from './repository.ts'

const CAST = /\bas unknown as\b/

/** Files that need a double cast, and why. */
const REASONS = new Map<string, string>([
  ['packages/chassis/src/telemetry/request-metrics.ts', 'prom-client wants one of its classes'],
  ['packages/client/src/create-client.ts', 'failures are thrown, so one type of response is left'],
  ['packages/chassis/src/telemetry/logger.test.ts', 'logs what the types forbid'],
  ['packages/chassis/tests/cache/cache.test.ts', 'caches what the types forbid'],
  ['packages/security/src/handoff-forgeries.test.ts', 'verifies what the types forbid'],
])

/** A double cast switches type checking off: it needs a reason in the list. */
export const casts: Rule = (files) =>
  files
    .filter(({ path }) => isTypeScript(path) && !path.startsWith('tools/check/'))
    .flatMap((file): Finding[] => {
      const line = file.lines.findIndex((text) => CAST.test(text)) + 1
      const { path } = file
      if (REASONS.has(path)) {
        return line > 0
          ? []
          : [{ path, message: 'has no double cast any more: remove it from the list' }]
      }
      return line > 0 ? [{ path, line, message: 'a double cast: narrow the type instead' }] : []
    })
