import type { FastifyInstance } from 'fastify'

/**
 * Remembers which methods each path knows, so that a known path with a wrong method is answered
 * 405 with `Allow` (RFC 9110 §15.5.6). Consulted only after routing has failed.
 */
export interface RouteMethods {
  allowedAt(path: string): string[]
}

export function collectRouteMethods(app: FastifyInstance): RouteMethods {
  const exact = new Map<string, Set<string>>()
  const patterns = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = Array.isArray(method) ? method : [method]
    const known = /[:*]/.test(url)
      ? patternEntry(patterns, url).methods
      : (exact.get(url) ?? new Set<string>())
    for (const name of methods) known.add(name)
    if (!/[:*]/.test(url)) exact.set(url, known)
  })
  return {
    allowedAt(path) {
      const found = new Set(exact.get(path))
      for (const { pattern, methods } of patterns.values()) {
        if (pattern.test(path)) for (const name of methods) found.add(name)
      }
      return [...found].sort()
    },
  }
}

function patternEntry(
  patterns: Map<string, { pattern: RegExp; methods: Set<string> }>,
  url: string,
) {
  const entry = patterns.get(url) ?? { pattern: toPattern(url), methods: new Set<string>() }
  patterns.set(url, entry)
  return entry
}

function toPattern(url: string): RegExp {
  const steps = url.split('/').map((step) => {
    if (step === '*') return '.*'
    return step.includes(':') ? '[^/]+' : step.replace(/[.+?^${}()|[\]\\*]/g, '\\$&')
  })
  return new RegExp(`^${steps.join('/')}$`)
}
