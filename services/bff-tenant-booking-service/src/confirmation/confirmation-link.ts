import { createHmac, type KeyObject } from 'node:crypto'
import { addDays, type IsoDate, type ReservationId, type TenantId } from '@melmastoon/domain'
import { decodeBase64url, equalBytes, type KeyRing } from '@melmastoon/security'

/** Guests look up an invoice or a lost item after the stay. */
const VALID_DAYS_AFTER_CHECK_OUT = 14
/** Version, key id, expiry in seconds, MAC of 32 bytes: one text form for each token. */
const TOKEN = /^1\.([a-z0-9][a-z0-9-]{0,63})\.([1-9]\d{9})\.([A-Za-z0-9_-]{43})$/

export interface LinkDeps {
  readonly confirmationKeys: KeyRing
}

/** The confirmation that a link opens. */
export interface ConfirmationRef {
  readonly tenantId: TenantId
  readonly reservationId: ReservationId
}

export interface LinkedStay extends ConfirmationRef {
  readonly checkOut: IsoDate
}

/**
 * Proves that its holder was given the link: opens one confirmation of one tenant until some days
 * after the stay. It contains no personal data. Treat it like a password: it is in no log.
 */
export function confirmationToken({ confirmationKeys }: LinkDeps, stay: LinkedStay): string {
  const { id, key } = confirmationKeys.active
  const endsOn = addDays(stay.checkOut, VALID_DAYS_AFTER_CHECK_OUT)
  const expires = String(Date.parse(`${endsOn}T00:00:00Z`) / 1_000)
  return `1.${id}.${expires}.${macOf(key, { ...stay, keyId: id, expires }).toString('base64url')}`
}

/** The page of the confirmation on the hotel's own site. */
export function confirmationLink(
  deps: LinkDeps,
  { origin, ...stay }: LinkedStay & { readonly origin: string },
): string {
  return `${origin}/confirmation/${stay.reservationId}?t=${confirmationToken(deps, stay)}`
}

/** Whether the token opens this confirmation now. Every other token is rejected alike. */
export function verifyToken(
  { confirmationKeys }: LinkDeps,
  { token, now, ...ref }: ConfirmationRef & { readonly token: string; readonly now: Date },
): boolean {
  const [, keyId = '', expires = '', text = ''] = TOKEN.exec(token) ?? []
  const key = confirmationKeys.verifying.find(({ id }) => id === keyId)
  const mac = decodeBase64url(text)
  if (key === undefined || mac === null) return false
  const isAuthentic = equalBytes(macOf(key.key, { ...ref, keyId, expires }), mac)
  return isAuthentic && now.getTime() < Number(expires) * 1_000
}

interface SignedFields extends ConfirmationRef {
  readonly keyId: string
  readonly expires: string
}

/** As JSON, so that fields cannot run into each other; the first one names the purpose. */
function macOf(key: KeyObject, { tenantId, reservationId, keyId, expires }: SignedFields): Buffer {
  const fields = ['confirmation link 1', keyId, tenantId, reservationId, expires]
  return createHmac('sha256', key).update(JSON.stringify(fields)).digest()
}
