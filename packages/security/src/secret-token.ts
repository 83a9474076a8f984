import { hash, randomBytes } from 'node:crypto'
import { type Id, type IdPrefix, isId, newId } from '@melmastoon/domain'

/** D3: 256 random bits; the id in front of them is public, the bits are the secret. */
const SECRET_BYTES = 32
/** 43 characters of which the last carries four bits: each secret has exactly one text. */
const SECRET = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/
const SECRET_CHARS = 43

export interface PresentedSecret<P extends IdPrefix> {
  readonly id: Id<P>
  /** SHA-256 of the secret part: the only form that is stored. */
  readonly secretHash: string
}

export interface SecretCookie<P extends IdPrefix> extends PresentedSecret<P> {
  readonly cookieValue: string
}

export function newSecretCookie<P extends IdPrefix>(prefix: P): SecretCookie<P> {
  const id = newId(prefix)
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  return { id, secretHash: hashSecret(secret), cookieValue: `${id}.${secret}` }
}

/** Null for anything that this service cannot have issued; the store is then not queried. */
export function parseSecretCookie<P extends IdPrefix>(
  value: unknown,
  prefix: P,
): PresentedSecret<P> | null {
  if (typeof value !== 'string') return null
  const dot = value.length - SECRET_CHARS - 1
  if (dot < 1 || value[dot] !== '.') return null
  const id = value.slice(0, dot)
  const secret = value.slice(dot + 1)
  return isId(prefix, id) && SECRET.test(secret) ? { id, secretHash: hashSecret(secret) } : null
}

function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}
