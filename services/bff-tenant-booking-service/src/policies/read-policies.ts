import { FRESH_SECTION, isDegraded, MISSING_SECTION, Section } from '@melmastoon/bff/sections'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { ReportSection } from '@melmastoon/chassis/upstream'
import type { Locale, TenantId } from '@melmastoon/domain'
import { locale as localeSchema, named } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import {
  readTenantSettings,
  settingsOf,
  type TenantSettingsDeps,
} from '../site/read-tenant-settings.ts'
import { PolicyVM, policiesOf } from './policy.ts'
import { type HotelsDeps, hotelsOf, readHotels, type SiteHotel } from './read-hotels.ts'

export const PolicyList = named(
  'PolicyList',
  Type.Object({
    locale: localeSchema(),
    policies: Type.Array(PolicyVM),
    degraded: Type.Boolean(),
    sections: Type.Object({
      tenant: Section,
      hotels: Section,
    }),
  }),
)

export type PolicyList = Static<typeof PolicyList>

export type PoliciesDeps = TenantSettingsDeps &
  HotelsDeps & { readonly reportSection: ReportSection }

/** @throws Problem without the texts of the tenant; those of the hotels may be missing. */
export async function readPolicies(
  deps: PoliciesDeps,
  { tenantId, locale }: { readonly tenantId: TenantId; readonly locale: Locale },
  call: UpstreamCall,
): Promise<PolicyList> {
  const [settings, hotels] = await Promise.all([
    readTenantSettings(deps, tenantId, call),
    readHotelsSection(deps, tenantId, call),
  ])
  const sections = { tenant: sectionOfEntry(settings), hotels: hotels.section }
  return {
    locale,
    policies: policiesOf(settingsOf(settings), hotels.read(), locale),
    degraded: isDegraded(sections),
    sections,
  }
}

export interface HotelsSection {
  /** Parses the content. */
  readonly read: () => readonly SiteHotel[]
  readonly section: Section
  /** Identifies the content. */
  readonly etag: string
}

/** Never fails: without the property service the section is missing. */
export async function readHotelsSection(
  deps: HotelsDeps & { readonly reportSection: ReportSection },
  tenantId: TenantId,
  call: UpstreamCall,
): Promise<HotelsSection> {
  try {
    const entry = await readHotels(deps, tenantId, call)
    return { read: () => hotelsOf(entry), section: sectionOfEntry(entry), etag: entry.etag }
  } catch (error) {
    deps.reportSection('hotels', error)
    return { read: () => [], section: MISSING_SECTION, etag: 'none' }
  }
}

/** Stale only when it is served because no newer entry could be loaded. */
export function sectionOfEntry({ state, ageMs }: Pick<CachedBytes, 'state' | 'ageMs'>): Section {
  return state === 'stale' ? { status: 'stale', ageMs: Math.round(ageMs) } : FRESH_SECTION
}
