import type { BlockedTenants } from '@melmastoon/bff/tenants'
import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes } from '@melmastoon/chassis/cache'
import { isProblem, problem } from '@melmastoon/domain'
import type { Tenant, tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { LRUCache } from 'lru-cache'
import type { Site } from './site.ts'
import type { SiteAddress } from './site-address.ts'
import type { SiteCaches } from './site-caches.ts'
import { EVERY_DOMAIN, slugTag } from './site-handlers.ts'

/** Resolves the tenant of a request. Suspensions apply at once, whatever is cached. */
export interface Sites {
  /** Synchronous: undefined when this process has no fresh copy. @throws Problem as `read`. */
  peek(address: SiteAddress | null): Site | undefined
  /**
   * @throws Problem SITE_NOT_FOUND, or UPSTREAM_UNAVAILABLE when the site is not cached and the
   * tenant service does not respond (F-1).
   */
  read(address: SiteAddress | null, call: UpstreamCall): Promise<Site>
}

export interface SitesDeps extends SiteCaches {
  readonly blocked: Pick<BlockedTenants, 'has'>
  readonly upstreams: { readonly tenant: ClientOf<typeof tenantContract> }
  /** The origin of a tenant's pages, with `{slug}`. */
  readonly siteUrl: string
  readonly sharedSiteUrl: string
}

type SiteRecord = Omit<Site, 'address' | 'origin' | 'isSuspended'> & Pick<Tenant, 'status'>

interface ParsedSite {
  readonly etag: string
  readonly status: Tenant['status']
  readonly record: Omit<SiteRecord, 'status'>
  /** By kind of address, suspension and origin: few, because a tenant has few domains. */
  readonly sites: Map<string, Site>
}

const SITES_MAX = 10_000
const DOMAIN_TAGS = [EVERY_DOMAIN] as const

/** What identifies the entry of a slug, and its parsed content. */
interface KnownSlug {
  readonly dims: Readonly<{ slug: string }>
  readonly tags: readonly string[]
  parsed: ParsedSite | undefined
}

export function createSites(deps: SitesDeps): Sites {
  return new CachedSites(deps)
}

class CachedSites implements Sites {
  readonly #deps: SitesDeps
  readonly #slugs = new LRUCache<string, KnownSlug>({ max: SITES_MAX })

  constructor(deps: SitesDeps) {
    this.#deps = deps
  }

  peek(address: SiteAddress | null): Site | undefined {
    if (address === null) throw problem('MELMASTOON.BFF.TENANT.SITE_NOT_FOUND')
    const slug = address.kind === 'domain' ? this.#peekDomain(address.domain) : address.slug
    if (slug === undefined) return undefined
    const known = this.#knownSlug(slug)
    const entry = this.#deps.slugs.peek(known.dims, known.tags)
    return entry && this.#open(known, entry, address)
  }

  async read(address: SiteAddress | null, call: UpstreamCall): Promise<Site> {
    if (address === null) throw problem('MELMASTOON.BFF.TENANT.SITE_NOT_FOUND')
    try {
      const slug =
        address.kind === 'domain' ? await this.#readDomain(address.domain, call) : address.slug
      const known = this.#knownSlug(slug)
      return this.#open(known, await this.#readSlug(known, call), address)
    } catch (error) {
      throw asUnavailable(error)
    }
  }

  #knownSlug(slug: string): KnownSlug {
    const known = this.#slugs.get(slug)
    if (known !== undefined) return known
    const made: KnownSlug = {
      dims: Object.freeze({ slug }),
      tags: [slugTag(slug)],
      parsed: undefined,
    }
    this.#slugs.set(slug, made)
    return made
  }

  #peekDomain(domain: string): string | undefined {
    const entry = this.#deps.domains.peek({ domain }, DOMAIN_TAGS)
    return entry && slugOf(entry)
  }

  async #readDomain(domain: string, { deadline, trace }: UpstreamCall): Promise<string> {
    const { domains, upstreams } = this.#deps
    const entry = await domains.get({
      dims: { domain },
      tags: DOMAIN_TAGS,
      deadline,
      load: async (_signal, loadDeadline) => {
        const call = { deadline: loadDeadline, trace }
        const tenant = await upstreams.tenant
          .resolveDomain({ params: { domain } }, call)
          .catch(asAbsent)
        return tenant === null ? { status: 404, body: '' } : { body: JSON.stringify(tenant.slug) }
      },
    })
    return slugOf(entry)
  }

  #readSlug({ dims, tags }: KnownSlug, { deadline, trace }: UpstreamCall): Promise<CachedBytes> {
    const { slugs, upstreams } = this.#deps
    return slugs.get({
      dims,
      tags,
      deadline,
      load: async (_signal, loadDeadline) => {
        const call = { deadline: loadDeadline, trace }
        const tenant = await upstreams.tenant
          .resolveSlug({ params: { slug: dims.slug } }, call)
          .catch(asAbsent)
        if (tenant === null) return { status: 404, body: '' }
        return { body: JSON.stringify(recordOf(tenant)) }
      },
    })
  }

  /** A closed tenant is reported like one that never existed (D18). */
  #open(known: KnownSlug, entry: CachedBytes, address: SiteAddress): Site {
    if (entry.status !== 200) throw problem('MELMASTOON.BFF.TENANT.SITE_NOT_FOUND')
    const { status, record, sites } = parsedSite(known, entry)
    if (status === 'closed') throw problem('MELMASTOON.BFF.TENANT.SITE_NOT_FOUND')
    const isSuspended = status === 'suspended' || this.#deps.blocked.has(record.tenantId)
    const origin = this.#originOf(address, record.slug)
    const key = `${address.kind} ${isSuspended} ${origin}`
    const opened = sites.get(key) ?? { ...record, address: address.kind, origin, isSuspended }
    sites.set(key, opened)
    return opened
  }

  #originOf(address: SiteAddress, slug: string): string {
    if (address.kind === 'domain') return `https://${address.domain}`
    const { siteUrl, sharedSiteUrl } = this.#deps
    // The session's cookie belongs to the host: a guest must return to the one they came from.
    return (address.kind === 'path' ? sharedSiteUrl : siteUrl).replace('{slug}', slug)
  }
}

function slugOf(entry: CachedBytes): string {
  if (entry.status !== 200) throw problem('MELMASTOON.BFF.TENANT.SITE_NOT_FOUND')
  return JSON.parse(entry.body.toString()) as string
}

function parsedSite(known: KnownSlug, entry: CachedBytes): ParsedSite {
  if (known.parsed?.etag !== entry.etag) {
    const { status, ...record } = JSON.parse(entry.body.toString()) as SiteRecord
    known.parsed = { etag: entry.etag, status, record, sites: new Map() }
  }
  return known.parsed
}

function recordOf({ tenantId, slug, displayName, status, config }: Tenant): SiteRecord {
  return {
    tenantId,
    slug,
    status,
    brandName: displayName.default,
    timeZone: config.timeZone,
    locales: config.locales,
    defaultLocale: config.defaultLocale,
    currencies: config.currencies,
    primaryCurrency: config.primaryCurrency,
    configVersion: String(config.version),
    paymentEnabled: config.paymentEnabled,
    telemetryConsent: config.telemetryConsent ?? 'opt-out',
  }
}

/** One code for every way in which the tenant service cannot be asked (F-1). */
function asUnavailable(error: unknown): unknown {
  if (!isProblem(error) || error.status < 500) return error
  return problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE', { cause: error })
}
