import { createHostReader } from '@melmastoon/chassis/http'
import { createLocalLimiter, limitProblem } from '@melmastoon/chassis/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BookingContext } from '../context.ts'
import type { Site } from '../site/site.ts'
import { hostAddress, pathAddress, type SiteAddress } from '../site/site-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The site that the request is addressed to; resolved once, before everything else (T1). */
    site: Site
  }
}

type Done = (error?: Error) => void

/**
 * Per address and process: names that must be looked up. Invented ones would otherwise all reach
 * the tenant service, because they are only limited once their tenant is known.
 */
const LOOKUPS = { name: 'site-lookup', limit: 600, burst: 200, periodSeconds: 60 }

export const TENANT_SLUG = 'tenantSlug'

/** An `onRequest` hook; a request to a site that this process knows passes without a promise. */
export function createSiteHook({ sites, config }: BookingContext) {
  const readHost = createHostReader(config)
  const lookups = createLocalLimiter(LOOKUPS)
  const addressOf = (request: FastifyRequest): SiteAddress | null => {
    const slug = (request.params as Readonly<Record<string, string>>)[TENANT_SLUG]
    if (slug !== undefined) return pathAddress(slug)
    return hostAddress(readHost(request.raw), config.siteHostSuffixes)
  }
  return (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
    const address = addressOf(request)
    const known = sites.peek(address)
    if (known !== undefined) {
      request.site = known
      done()
      return
    }
    const rejected = limitProblem(lookups(request.ip))
    if (rejected !== undefined) {
      done(rejected)
      return
    }
    const { deadline, trace } = request
    sites.read(address, { deadline, trace }).then((site) => {
      request.site = site
      done()
    }, done)
  }
}
