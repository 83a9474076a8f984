import { type Problem, problem } from '@melmastoon/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from './request-state.ts'

/** The methods of each path. Consulted only after routing has failed. */
export interface RouteMethods {
  allowedAt(path: string): string[]
}

interface Pattern {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

export function collectRouteMethods(app: FastifyInstance): RouteMethods {
  const exact = new Map<string, Set<string>>()
  const patterns = new Map<string, Pattern>()
  app.addHook('onRoute', ({ url, method }) => {
    const isPattern = /[:*]/.test(url)
    const known = isPattern
      ? patternEntry(patterns, url).methods
      : (exact.get(url) ?? new Set<string>())
    for (const name of Array.isArray(method) ? method : [method]) known.add(name)
    if (!isPattern) exact.set(url, known)
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

function patternEntry(patterns: Map<string, Pattern>, url: string): Pattern {
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

/**
 * 404, or 405 with `Allow` for a known path (RFC 9110 §15.5.6). A path that allows the method but
 * has nothing to return, such as a missing file below `/docs/static/`, is 404.
 */
export function notFound(request: FastifyRequest, routes: RouteMethods): Problem {
  const methods = routes.allowedAt(pathOf(request))
  if (methods.length === 0 || methods.includes(request.method)) {
    return problem('MELMASTOON.GENERAL.ROUTE_NOT_FOUND')
  }
  return problem('MELMASTOON.GENERAL.METHOD_NOT_ALLOWED', { headers: { allow: allow(methods) } })
}

/** OPTIONS returns the methods without CORS headers: other origins have no access (SEC-N09). */
export function registerNotFound(app: FastifyInstance, routes: RouteMethods): void {
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const methods = routes.allowedAt(pathOf(request))
    if (request.method !== 'OPTIONS' || methods.length === 0) throw notFound(request, routes)
    return reply.code(204).header('allow', allow(methods)).send()
  })
}

function allow(methods: readonly string[]): string {
  return [...methods, 'OPTIONS'].join(', ')
}
