import { setTimeout } from 'node:timers/promises'
import { type Browser, createBrowser } from '@melmastoon/testkit'

const BASE = '/bff/tenant-booking/v1'

export type SiteAddress = 'path' | 'host'

export interface Site {
  readonly slug: string
  /** A browser without a session. */
  browser(address?: SiteAddress): Browser
  /** A guest with a session: the site was loaded. */
  guest(address?: SiteAddress): Promise<Guest>
  /** The same site at another process. */
  at(url: string): Site
}

export interface Guest extends Browser {
  readonly sessionId: string
}

/** The booking site of one tenant: by path on the shared host, or by its own host. */
export function createSite(url: string, slug: string): Site {
  const browser = (address: SiteAddress = 'path') =>
    createBrowser({ url, ...addressed(slug, address) })
  return {
    slug,
    browser,
    at: (other) => createSite(other, slug),
    async guest(address = 'path') {
      const guest = browser(address)
      await bootstrap(guest)
      return { ...guest, sessionId: sessionIdOf(guest) }
    },
  }
}

const ATTEMPTS_MAX = 40
const PAUSE_MS = 250

/** All guests of a test have one address; when its limit is reached, they wait. */
async function bootstrap(guest: Browser): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { status, text } = await guest.get('/bootstrap')
    if (status === 200) return
    if (status !== 429 || attempt === ATTEMPTS_MAX) {
      throw new Error(`bootstrap returned ${status}: ${text}`)
    }
    await setTimeout(PAUSE_MS)
  }
}

/** The options of a browser that calls the site by path or by host. */
export function addressed(slug: string, address: SiteAddress) {
  return address === 'path'
    ? { base: `${BASE}/${slug}`, headers: {} }
    : { base: '/api', headers: { host: `${slug}.localhost` } }
}

export function sessionIdOf({ cookies }: Pick<Browser, 'cookies'>): string {
  const [value = ''] = [...cookies]
    .filter(([name]) => name.startsWith('__Host-tnt_id'))
    .map(([, text]) => text)
  return value.split('.')[0] ?? ''
}
