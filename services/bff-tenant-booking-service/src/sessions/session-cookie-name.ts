import type { Site } from '../site/site.ts'

const OWN_HOST = '__Host-tnt_id'

/** On the shared host each tenant has its own cookie, so that none overwrites another (D26). */
export function sessionCookieName({ address, slug }: Pick<Site, 'address' | 'slug'>): string {
  return address === 'path' ? `${OWN_HOST}-${slug}` : OWN_HOST
}
