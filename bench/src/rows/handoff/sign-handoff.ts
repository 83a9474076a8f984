import { createHmac, randomUUID } from 'node:crypto'

const LIFETIME_MS = 1_800_000
const SECRET = 'no secret at all, but long enough to be one'

export interface SignedHandoff {
  readonly id: string
  readonly token: string
  readonly expiresAt: string
}

/** The same signature for the floor and for every form it is stored in. */
export function signHandoff(input: unknown): SignedHandoff {
  const id = randomUUID()
  const expiresAt = new Date(Date.now() + LIFETIME_MS).toISOString()
  const text = Buffer.from(JSON.stringify({ id, input, expiresAt })).toString('base64url')
  const token = `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`
  return { id, token, expiresAt }
}
