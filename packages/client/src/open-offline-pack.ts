/** A list of rows by its name, for example `arrivals:2026-11-16`. */
export type PackLists = Readonly<Record<string, readonly unknown[]>>

export interface OfflinePack {
  readonly tenantId: string
  readonly propertyId: string
  readonly operatorId: string
  readonly businessDate: string
  readonly issuedAt: Date
  readonly expiresAt: Date
  /** Lists that did not fit. */
  readonly omitted: readonly string[]
  readonly lists: PackLists
}

/** What the device knows apart from the pack. */
export interface PackReader {
  /** Of the back office, received with an earlier response. */
  readonly publicJwk: { readonly kty: string; readonly crv: string; readonly x: string }
  /** The thumbprint of the key of this device. */
  readonly jkt: string
  readonly propertyId: string
  readonly now: Date
}

interface Claims {
  readonly iss: string
  readonly sub: string
  readonly tenant: string
  readonly property: string
  readonly cnf: { readonly jkt: string }
  readonly businessDate: string
  readonly iat: number
  readonly exp: number
  readonly omitted: readonly string[]
  readonly lists: PackLists
}

/**
 * Verifies a stored pack before it is shown.
 * @throws Error when it was changed, has expired, or is for another device or property
 */
export async function openOfflinePack(pack: string, reader: PackReader): Promise<OfflinePack> {
  const [header = '', payload = '', signature = '', ...rest] = pack.split('.')
  const { alg, typ } = parse<{ alg?: string; typ?: string }>(header)
  if (rest.length > 0 || alg !== 'EdDSA' || typ !== 'offline-pack+jwt') {
    throw new Error('not an offline pack')
  }
  const { kty, crv, x } = reader.publicJwk
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify'])
  const input = new TextEncoder().encode(`${header}.${payload}`)
  if (!(await crypto.subtle.verify('Ed25519', key, bytesOf(signature), input))) {
    throw new Error('the offline pack was changed')
  }
  return checked(parse<Claims>(payload), reader)
}

function checked(claims: Claims, { jkt, propertyId, now }: PackReader): OfflinePack {
  if (claims.cnf.jkt !== jkt) throw new Error('the offline pack is for another device')
  if (claims.property !== propertyId) throw new Error('the offline pack is for another property')
  const expiresAt = new Date(claims.exp * 1_000)
  if (now >= expiresAt) throw new Error('the offline pack has expired')
  return {
    tenantId: claims.tenant,
    propertyId: claims.property,
    operatorId: claims.sub,
    businessDate: claims.businessDate,
    issuedAt: new Date(claims.iat * 1_000),
    expiresAt,
    omitted: claims.omitted,
    lists: claims.lists,
  }
}

function parse<T>(part: string): T {
  return JSON.parse(new TextDecoder().decode(bytesOf(part))) as T
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
