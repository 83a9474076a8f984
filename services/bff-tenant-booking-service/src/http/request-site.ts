import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { createHostReader } from '@melmastoon/chassis/http'
import { createLocalLimiter, limitProblem } from '@melmastoon/chassis/limits'
import { problem } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { rejectStaleBootstrap } from '../bootstrap/bootstrap-version.ts'
import type { BookingContext } from '../context.ts'
import { siteCurrency } from '../sessions/site-preferences.ts'
import type { Site } from '../site/site.ts'
import { hostAddress, pathAddress, type SiteAddress } from '../site/site-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The site that the request is addressed to; resolved once, before everything else (T1). */
    site: Site
  }
  interface FastifyContextConfig {
    /** The route also serves a suspended site: its guests keep the documents of their stays. */
    servesSuspended?: true
  }
}

type Done = (error?: Error) => void

/**
 * Per address and process: names that must be looked up. Invented ones would otherwise all reach
 * the tenant service, because they are only limited once their tenant is known.
 */
const LOOKUPS = { name: 'site-lookup', limit: 600, burst: 200, periodSeconds: 60 }

export const TENANT_SLUG = 'tenantSlug'

interface AddressedRequest {
  readonly raw: IncomingMessage
  readonly params: unknown
}

/** By the slug in the path, or by the host (D24). Null when it cannot be that of a site. */
export function createAddressReader(
  config: BookingContext['config'],
): (request: AddressedRequest) => SiteAddress | null {
  const readHost = createHostReader(config)
  return ({ raw, params }) => {
    const slug = (params as Readonly<Record<string, string>>)[TENANT_SLUG]
    if (slug !== undefined) return pathAddress(slug)
    return hostAddress(readHost(raw), config.siteHostSuffixes)
  }
}

/** An `onRequest` hook; a request to a site that this process knows passes without a promise. */
export function createSiteHook({ sites, config }: BookingContext) {
  const addressOf = createAddressReader(config)
  const lookups = createLocalLimiter(LOOKUPS)
  return (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
    const address = addressOf(request)
    const known = sites.peek(address)
    if (known !== undefined) {
      done(enter(request, known))
      return
    }
    const rejected = limitProblem(lookups(request.ip))
    if (rejected !== undefined) {
      done(rejected)
      return
    }
    const { deadline, trace } = request
    sites.read(address, { deadline, trace }).then((site) => done(enter(request, site)), done)
  }
}

/** @returns why the request is rejected, if it is. */
function enter(request: FastifyRequest, site: Site): Error | undefined {
  request.site = site
  const { servesSuspended = false } = request.routeOptions.config
  return site.isSuspended && !servesSuspended ? siteSuspended() : undefined
}

/**
 * What every request to a site may send. The currency also where it has no effect: a client that
 * sends a wrong one learns it at once.
 * @throws Problem BOOTSTRAP_STALE, CURRENCY_NOT_SUPPORTED
 */
export function checkSiteHeaders(headers: IncomingHttpHeaders, site: Site): void {
  const held = headers['x-bootstrap-version']
  rejectStaleBootstrap(typeof held === 'string' ? held : undefined, site)
  const named = headers['x-currency']
  if (typeof named === 'string' && named !== '') siteCurrency(site, named, '/headers/x-currency')
}

export function siteSuspended() {
  return problem('MELMASTOON.BFF.TENANT.SITE_SUSPENDED')
}
