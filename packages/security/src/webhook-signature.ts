import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { type Problem, problem } from '@melmastoon/domain'
import { equalText } from './bytes.ts'
import { KeyRing, type RingKey } from './key-ring.ts'

export const WEBHOOK_SIGNATURE_HEADER = 'melmastoon-signature'
/** Limits the replay of a captured signature; clocks may differ by as much. */
export const WEBHOOK_TOLERANCE_MS = 5 * 60_000

export interface VerifiedWebhook {
  readonly keyId: string
  readonly signedAt: Date
}

interface Signature {
  readonly seconds: string
  readonly keyId: string | undefined
  /** Several while a sender signs with an old and a new key. */
  readonly macs: readonly string[]
}

const HEADER_CHARS_MAX = 600
const MACS_MAX = 4
const PART = /^([a-z0-9]{1,8})=([A-Za-z0-9-]{1,64})$/
const SECONDS = /^[1-9][0-9]{0,11}$/
const MAC = /^[0-9a-f]{64}$/
const SINGLE_KEY_ID = 'k1'

/**
 * The keys of a configured secret: a ring as `id:state:base64url,…` during a key rotation, or one
 * plain secret.
 */
export function webhookKeys(secret: string): KeyRing {
  if (secret.includes(':')) return KeyRing.parse(secret)
  const key = createSecretKey(Buffer.from(secret))
  return new KeyRing([{ id: SINGLE_KEY_ID, state: 'active', key }])
}

/** `t=<unix seconds>,k=<key id>,v1=<hex HMAC-SHA-256 of "<t>.<body>">` */
export function signWebhook(keys: KeyRing, body: string | Uint8Array, now: Date): string {
  const seconds = String(Math.floor(now.getTime() / 1000))
  const { id, key } = keys.active
  return `t=${seconds},k=${id},v1=${macOf(key, seconds, body)}`
}

export interface ReceivedWebhook {
  readonly header: unknown
  /** The bytes as received: parsing and serializing again may change them. */
  readonly body: string | Uint8Array
}

/**
 * The caller then discards ids it has already processed, and snapshots older than its own.
 * @throws Problem `PAYMENT.WEBHOOK_REFUSED`, without stating which part was wrong.
 */
export function verifyWebhook(
  keys: KeyRing,
  { header, body }: ReceivedWebhook,
  now: Date,
): VerifiedWebhook {
  const signature = parseSignature(header)
  if (signature === null) throw invalidWebhook()
  const key = candidates(keys, signature).find((candidate) =>
    isSignedBy(candidate, signature, body),
  )
  if (key === undefined) throw invalidWebhook()
  const signedAt = new Date(Number(signature.seconds) * 1000)
  const awayMs = Math.abs(now.getTime() - signedAt.getTime())
  if (!(awayMs <= WEBHOOK_TOLERANCE_MS)) throw invalidWebhook()
  return { keyId: key.id, signedAt }
}

/** Parts of later versions are ignored; a part that is repeated or malformed is rejected. */
function parseSignature(header: unknown): Signature | null {
  if (typeof header !== 'string' || header.length > HEADER_CHARS_MAX) return null
  const macs: string[] = []
  const single = new Map<string, string>()
  for (const part of header.split(',')) {
    const [, name = '', value = ''] = PART.exec(part.trim()) ?? []
    if (name === '') return null
    if (name === 'v1') macs.push(value)
    else if (single.has(name)) return null
    else single.set(name, value)
  }
  const seconds = single.get('t') ?? ''
  const isSound = SECONDS.test(seconds) && macs.length > 0 && macs.length <= MACS_MAX
  if (!isSound || !macs.every((mac) => MAC.test(mac))) return null
  return { seconds, keyId: single.get('k'), macs }
}

function candidates(keys: KeyRing, { keyId }: Signature): readonly RingKey[] {
  return keyId === undefined ? keys.verifying : keys.verifying.filter((key) => key.id === keyId)
}

function isSignedBy({ key }: RingKey, { seconds, macs }: Signature, body: string | Uint8Array) {
  const expected = macOf(key, seconds, body)
  return macs.some((mac) => equalText(mac, expected))
}

function macOf(key: KeyObject, seconds: string, body: string | Uint8Array): string {
  return createHmac('sha256', key).update(`${seconds}.`).update(body).digest('hex')
}

function invalidWebhook(): Problem {
  return problem('MELMASTOON.PAYMENT.WEBHOOK_REFUSED')
}
