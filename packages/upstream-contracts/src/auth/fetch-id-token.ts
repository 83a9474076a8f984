import { decodeJwt } from 'jose'

export interface IdTokenSource {
  /** The audience of the token: the URL of the upstream. */
  readonly audience: string
  readonly metadataUrl: string
  readonly timeoutMs: number
}

export interface IdToken {
  readonly token: string
  readonly expiresAtMs: number
}

const PATH = '/computeMetadata/v1/instance/service-accounts/default/identity'
const FLAVOR = 'Metadata-Flavor'
/** Tokens of Google have about a thousand characters. */
const TOKEN_MAX_CHARS = 8_192

/**
 * Requests an identity token from the metadata server. No error contains its response: that may be
 * a token.
 */
export async function fetchIdToken(source: IdTokenSource): Promise<IdToken> {
  const url = new URL(PATH, source.metadataUrl)
  url.search = new URLSearchParams({ audience: source.audience, format: 'full' }).toString()
  const response = await fetch(url, {
    headers: { [FLAVOR]: 'Google' },
    redirect: 'error',
    signal: AbortSignal.timeout(source.timeoutMs),
  })
  const token = (await response.text()).trim()
  if (!response.ok) throw new Error(`the metadata server returned ${response.status}`)
  // Another server at that address does not send this header.
  if (response.headers.get(FLAVOR) !== 'Google') throw new Error('not a metadata server')
  return { token, expiresAtMs: expiryOf(token) }
}

function expiryOf(token: string): number {
  if (token.length > TOKEN_MAX_CHARS) throw new Error('the metadata server returned no token')
  const expiresAt = readExpiry(token)
  if (expiresAt === undefined)
    throw new Error('the metadata server returned a token without expiry')
  return expiresAt * 1_000
}

function readExpiry(token: string): number | undefined {
  try {
    return decodeJwt(token).exp
  } catch {
    return undefined
  }
}
