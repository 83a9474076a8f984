import { hash } from 'node:crypto'
import { countSections, FRESH_SECTION } from '@melmastoon/bff/sections'
import { tenantTags } from '@melmastoon/bff/tenants'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, CachedBytes, DefinedCache } from '@melmastoon/chassis/cache'
import type { Clock } from '@melmastoon/chassis/clock'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import type { CurrencyCode, Locale } from '@melmastoon/domain'
import { type PoliciesDeps, readHotelsSection, sectionOfEntry } from '../policies/read-policies.ts'
import { readTenantSettings, settingsOf } from '../site/read-tenant-settings.ts'
import type { Site } from '../site/site.ts'
import type { SharedBootstrap } from './bootstrap.ts'
import { composeBootstrap } from './compose-bootstrap.ts'
import { measureFanout } from './measure-fanout.ts'
import { readTheme, type ThemeDeps } from './theme.ts'
import type { WarmBootstraps } from './warm-bootstraps.ts'

export type BootstrapCache = DefinedCache<'tenantId' | 'locale' | 'currency' | 'parts'>

export type BootstrapDeps = PoliciesDeps &
  ThemeDeps & {
    readonly bootstraps: BootstrapCache
    readonly warmBootstraps: WarmBootstraps
    readonly clock: Clock
    readonly measures: { readonly sections: CounterMetric<'section' | 'status'> }
  }

export interface BootstrapQuery {
  readonly site: Site
  readonly locale: Locale
  readonly currency: CurrencyCode
}

/** Milliseconds of the upstream calls of this request; null for one that was not made. */
export interface FanoutLatency {
  readonly tenant: number | null
  readonly theme: number | null
  readonly policies: number | null
}

export interface ReadBootstrap {
  readonly bytes: CachedBytes
  readonly cache: 'HIT' | 'STALE' | 'MISS'
  readonly facts: BootstrapFacts
  readonly fanoutLatencyMs: FanoutLatency
}

/**
 * The composed bytes are stored under the entity tags of their parts: whatever changes a part, the
 * next response contains it.
 */
export function defineBootstraps(cache: Cache): BootstrapCache {
  return cache.define({
    name: 'tenant-bootstrap',
    dimensions: ['tenantId', 'locale', 'currency', 'parts'],
    softTtlMs: 5 * 60_000,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 0,
    loadTimeoutMs: 1_000,
    // Composing one is faster than waiting long for another process that does.
    followerWaitMs: 100,
  })
}

const NOT_CALLED: FanoutLatency = { tenant: null, theme: null, policies: null }
const ALL_FRESH = { tenant: FRESH_SECTION, theme: FRESH_SECTION, hotels: FRESH_SECTION }

/** Synchronous: undefined unless this process has all parts of it fresh, and it is not rejected. */
export function peekBootstrap(
  deps: BootstrapDeps,
  { site, locale, currency }: BootstrapQuery,
): ReadBootstrap | undefined {
  const { tenantId } = site
  const bytes = deps.warmBootstraps.peek(deps, { tenantId, locale, currency })
  const facts = bytes?.facts as BootstrapFacts | undefined
  if (bytes === undefined || !facts?.isPayable) return undefined
  countSections(deps.measures.sections, ALL_FRESH)
  return { bytes, cache: 'HIT', facts, fanoutLatencyMs: NOT_CALLED }
}

/** @throws Problem without the settings of the tenant; theme and hotels may be missing (F-2). */
export async function readBootstrap(
  deps: BootstrapDeps,
  { site, locale, currency }: BootstrapQuery,
  call: UpstreamCall,
): Promise<ReadBootstrap> {
  const { tenantId } = site
  const fanout = measureFanout(deps.upstreams)
  const measured = { ...deps, upstreams: fanout.upstreams }
  const [settings, theme, hotels] = await Promise.all([
    readTenantSettings(measured, tenantId, call),
    readTheme(measured, tenantId, call),
    readHotelsSection(measured, tenantId, call),
  ])
  const sections = {
    tenant: sectionOfEntry(settings),
    theme: theme.section,
    hotels: hotels.section,
  }
  countSections(deps.measures.sections, sections)
  const statuses = Object.values(sections).map(({ status }) => status)
  const etags = [settings.etag, theme.etag, hotels.etag] as const
  const parts = hash('sha256', [...etags, ...statuses].join(' '))
  const dims = { tenantId, locale, currency, parts }
  const bytes = await deps.bootstraps.get({
    dims,
    tags: tenantTags(tenantId),
    deadline: call.deadline,
    load: async () => {
      const read = { settings: settingsOf(settings), theme: theme.read(), hotels: hotels.read() }
      const now = deps.clock.now()
      const composed = composeBootstrap({ site, ...read, sections, locale, currency, now })
      return { body: JSON.stringify(composed), facts: factsOf(composed) }
    },
  })
  if (statuses.every((status) => status === 'fresh')) deps.warmBootstraps.set(dims, etags)
  const cache = statuses.includes('stale') ? 'STALE' : bytes.state === 'hit' ? 'HIT' : 'MISS'
  return { bytes, cache, facts: bytes.facts as BootstrapFacts, fanoutLatencyMs: fanout.latency() }
}

/** What is read of a composed bootstrap without parsing it. */
type BootstrapFacts = SharedBootstrap['composedFrom'] & { readonly isPayable: boolean }

function factsOf({ composedFrom, paymentMethods }: SharedBootstrap): BootstrapFacts {
  return { ...composedFrom, isPayable: paymentMethods.length > 0 }
}
