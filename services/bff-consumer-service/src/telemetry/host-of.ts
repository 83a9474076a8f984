/** Names only: an address could be somebody's own. */
const HOST_NAME = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z][a-z0-9-]{1,62}$/
const HOST_LENGTH_MAX = 253

/** Of a page that led here no more is kept than its host: the rest may say what was looked for. */
export function hostOf(referer: string | undefined): string | undefined {
  const url = referer === undefined ? null : URL.parse(referer)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  const { hostname } = url
  return hostname.length <= HOST_LENGTH_MAX && HOST_NAME.test(hostname) ? hostname : undefined
}
