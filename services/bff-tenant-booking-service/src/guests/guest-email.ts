import { domainToASCII } from 'node:url'
import { type Normalized, withoutDirection } from './normalize-guest-text.ts'

/** RFC 5321 §4.5.3.1, and the 254 of RFC 3696 erratum 1690. */
const LOCAL_MAX = 64
const EMAIL_MAX = 254
/** The dot-atom of RFC 5322 §3.2.3: quoted and non-ASCII local parts are rarely delivered. */
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** `domainToASCII` would decode percent signs and short forms of addresses. */
const DOMAIN = /^[\p{L}\p{M}\p{Nd}\p{Join_Control}.\u3002-]+$/u
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** At least two labels; no top-level domain is a number. */
const ASCII_DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`)

/**
 * Whether mail can be sent to it is decided by sending; this finds mistakes of typing. The local
 * part keeps its case, the domain is stored in ASCII, as it is resolved (UTS 46).
 */
export function normalizeEmail(text: string): Normalized {
  const email = withoutDirection(text)
  if (email === '') return { error: 'required' }
  const at = email.lastIndexOf('@')
  const [local, domain] = [email.slice(0, Math.max(at, 0)), email.slice(at + 1)]
  if (at < 1 || local.length > LOCAL_MAX || !LOCAL.test(local)) return { error: 'email' }
  const ascii = DOMAIN.test(domain) ? domainToASCII(domain.normalize('NFC')) : ''
  if (!ASCII_DOMAIN.test(ascii)) return { error: 'email_domain' }
  const value = `${local}@${ascii}`
  return value.length > EMAIL_MAX ? { error: 'too_long' } : { value }
}
