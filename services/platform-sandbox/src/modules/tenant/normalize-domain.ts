const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** The last label contains a letter: a numeric one would be an IP address (WHATWG URL §3.5). */
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?=[a-z0-9-]*[a-z])${LABEL}$`)
/** Characters that would end the host within a URL. */
const NOT_OF_A_HOST = /[\s/\\?#@:%[\]]/
const DOMAIN_MAX_CHARS = 150

/** Lower case, Unicode as punycode. Null when it is not a domain. */
export function normalizeDomain(given: string): string | null {
  if (given.length > DOMAIN_MAX_CHARS || NOT_OF_A_HOST.test(given)) return null
  const url = URL.parse(`https://${given}`)
  if (url === null) return null
  const domain = url.hostname.replace(/\.$/, '')
  return domain.length <= DOMAIN_MAX_CHARS && DOMAIN.test(domain) ? domain : null
}
