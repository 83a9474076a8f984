import { MISSING_SECTION, type Section } from '@melmastoon/bff/sections'
import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, CachedBytes, DefinedCache } from '@melmastoon/chassis/cache'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import type { ReportSection } from '@melmastoon/chassis/upstream'
import type { TenantId } from '@melmastoon/domain'
import { themePublished } from '@melmastoon/platform-events'
import type { ThemeVersion, themeContract } from '@melmastoon/upstream-contracts/theme'
import { sectionOfEntry } from '../policies/read-policies.ts'
import { DEFAULT_THEME } from './default-theme.ts'

export type ThemeCache = DefinedCache<'tenantId'>

/** What a site needs of the published theme. */
export type SiteTheme = Pick<
  ThemeVersion,
  'brandName' | 'tagline' | 'layoutPreset' | 'tokens' | 'flow'
> & { readonly version: string; readonly logoUrl: string | null }

export interface ThemeDeps {
  readonly themes: ThemeCache
  readonly upstreams: { readonly theme: ClientOf<typeof themeContract> }
  readonly reportSection: ReportSection
}

/** F-2: the last good theme is served for half an hour while the theme service is down. */
export function defineThemes(cache: Cache, loadTimeoutMs: number): ThemeCache {
  return cache.define({
    name: 'theme',
    dimensions: ['tenantId'],
    softTtlMs: 5 * 60_000,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 30 * 60_000,
    loadTimeoutMs,
  })
}

export function themeTag(tenantId: TenantId): string {
  return `theme:${tenantId}`
}

export function onThemePublished({ cache }: { readonly cache: Cache }): EventHandler {
  return on(themePublished, {
    afterCommit: async ({ tenantId }) => {
      await cache.invalidate([themeTag(tenantId)])
    },
  })
}

export interface ThemeSection {
  /** Parses the content. */
  readonly read: () => SiteTheme
  readonly section: Section
  /** Identifies the content. */
  readonly etag: string
}

/** Never fails: without a theme the site looks like the platform, and the section is missing. */
export async function readTheme(
  deps: ThemeDeps,
  tenantId: TenantId,
  call: UpstreamCall,
): Promise<ThemeSection> {
  try {
    const entry = await readEntry(deps, tenantId, call)
    if (entry.status !== 200) return NO_THEME
    const read = () => JSON.parse(entry.body.toString()) as SiteTheme
    return { read, section: sectionOfEntry(entry), etag: entry.etag }
  } catch (error) {
    deps.reportSection('theme', error)
    return NO_THEME
  }
}

const NO_THEME: ThemeSection = {
  read: () => DEFAULT_THEME,
  section: MISSING_SECTION,
  etag: 'none',
}

function readEntry(
  { themes, upstreams }: ThemeDeps,
  tenantId: TenantId,
  { deadline, trace }: UpstreamCall,
): Promise<CachedBytes> {
  return themes.get({
    dims: { tenantId },
    tags: [themeTag(tenantId)],
    deadline,
    load: async (_signal, loadDeadline) => {
      const call = { deadline: loadDeadline, trace }
      const theme = await upstreams.theme
        .getPublished({ params: { tenantId } }, call)
        .catch(asAbsent)
      return theme === null ? { status: 404, body: '' } : { body: JSON.stringify(themeOf(theme)) }
    },
  })
}

function themeOf(theme: ThemeVersion): SiteTheme {
  const { brandName, tagline, layoutPreset, tokens, flow, version, logoUrl } = theme
  return {
    brandName,
    ...(tagline !== undefined && { tagline }),
    layoutPreset,
    tokens,
    flow,
    version: String(version),
    logoUrl,
  }
}
