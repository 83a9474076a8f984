import { hash, type KeyObject, sign } from 'node:crypto'
import { toIsoDateTime } from '@melmastoon/domain'
import type { PackContent, PackPart, PackRequest } from './compose-pack.ts'

/** Signs what devices keep. */
export interface PackKey {
  /** An Ed25519 private key. */
  readonly key: KeyObject
  readonly kid: string
}

export interface SignedPack {
  /** A compact JWS. */
  readonly pack: string
  readonly expiresAt: string
  readonly etag: string
}

const PACK_TYPE = 'offline-pack+jwt'
const PACK_ISSUER = 'bff-backoffice-service'
const LIFETIME_MS = 12 * 3_600_000
const BYTES_MAX = 1024 * 1024
/** Base64 needs four characters for three bytes; claims and signature fit into the rest. */
const CONTENT_BYTES_MAX = (BYTES_MAX / 4) * 3 - 4_096
/** An unchanged pack is signed again after this time, so that it does not expire. */
const RENEWAL_MS = 3_600_000

/** For one device, tenant and property, for twelve hours (staff reference §5). */
export function signPack(
  { key, kid }: PackKey,
  { operator, propertyId }: PackRequest,
  { content, now }: { readonly content: PackContent; readonly now: Date },
): SignedPack {
  const { parts, tooLarge } = fitting(content.parts)
  const issuedAt = Math.floor(now.getTime() / 1_000)
  const expiresAt = issuedAt + LIFETIME_MS / 1_000
  const { businessDate, degraded } = content
  const claims = {
    iss: PACK_ISSUER,
    sub: operator.operatorId,
    tenant: operator.tenantId,
    property: propertyId,
    did: operator.deviceId,
    cnf: { jkt: operator.jkt },
    businessDate,
    degraded,
    omitted: [...content.missing, ...tooLarge],
  }
  const lists = `{${parts.map(({ name, json }) => `${JSON.stringify(name)}:${json}`).join(',')}}`
  const text = (times: object) => withLists({ ...claims, ...times }, lists)
  const header = encode(JSON.stringify({ alg: 'EdDSA', typ: PACK_TYPE, kid }))
  const input = `${header}.${encode(text({ iat: issuedAt, exp: expiresAt }))}`
  const period = Math.floor(now.getTime() / RENEWAL_MS)
  return {
    pack: `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`,
    expiresAt: toIsoDateTime(new Date(expiresAt * 1_000)),
    etag: `"${hash('sha256', text({ period }), 'base64url').slice(0, 22)}"`,
  }
}

const withLists = (claims: object, lists: string) =>
  `${JSON.stringify(claims).slice(0, -1)},"lists":${lists}}`

const encode = (text: string) => Buffer.from(text).toString('base64url')

/** What does not fit is named, so that its absence is not taken for an empty list. */
function fitting(all: readonly PackPart[]) {
  const parts: PackPart[] = []
  const tooLarge: string[] = []
  let bytes = 0
  for (const part of all) {
    const size = Buffer.byteLength(part.json) + part.name.length
    if (bytes + size > CONTENT_BYTES_MAX) tooLarge.push(part.name)
    else {
      parts.push(part)
      bytes += size
    }
  }
  return { parts, tooLarge }
}
