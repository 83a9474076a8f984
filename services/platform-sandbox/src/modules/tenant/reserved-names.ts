/** Names that the platform uses itself, or that could be mistaken for it. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'account',
  'admin',
  'api',
  'app',
  'assets',
  'auth',
  'backoffice',
  'bff',
  'billing',
  'blog',
  'book',
  'booking',
  'by-domain',
  'by-slug',
  'cdn',
  'consumer',
  'dashboard',
  'dev',
  'docs',
  'ftp',
  'ghasi',
  'health',
  'help',
  'internal',
  'localhost',
  'login',
  'mail',
  'melmastoon',
  'metrics',
  'mx',
  'ns1',
  'ns2',
  'payment',
  'security',
  'smtp',
  'staging',
  'static',
  'status',
  'support',
  'tenant',
  'test',
  'www',
])

const PLATFORM_DOMAINS = ['melmastoon.ghasi.io', 'melmastoon.app', 'melmastoon.internal']

export function isReservedSlug(slug: string): boolean {
  return RESERVED_SLUGS.has(slug)
}

/** Below the platform's own domains the slug identifies the tenant. */
export function isPlatformDomain(domain: string): boolean {
  return PLATFORM_DOMAINS.some((own) => domain === own || domain.endsWith(`.${own}`))
}
