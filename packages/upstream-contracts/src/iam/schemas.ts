import { type Static, Type } from 'typebox'
import { id, instant, text } from '../schemas.ts'

export const MFA_FACTORS = ['totp', 'signed_challenge'] as const
export type MfaFactor = (typeof MFA_FACTORS)[number]

export const DEVICE_PLATFORMS = ['win32', 'darwin', 'linux'] as const

/** The RFC 7638 thumbprint of a device key. */
export const jkt = () => Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })

export const code = () => Type.String({ pattern: '^[a-z0-9_.-]{1,64}$' })

/** A token or a signature; opaque to the caller. */
export const opaque = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** A public Ed25519 key that verifies access tokens. */
const SigningJwk = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
  kid: text(64),
  alg: Type.Literal('EdDSA'),
  use: Type.Literal('sig'),
})

/** The active key first, then retired keys whose tokens may still be valid. */
export const Jwks = Type.Object({ keys: Type.Array(SigningJwk, { maxItems: 20 }) })
export type Jwks = Static<typeof Jwks>

export const IssuedTokens = Type.Object({
  /** A JWT of type `at+jwt`, signed with EdDSA and bound to the device key (`cnf.jkt`). */
  accessToken: opaque(4_000),
  /** Valid once; bound to the same key. */
  refreshToken: opaque(512),
  /** Of the access token, in seconds. */
  expiresIn: Type.Integer({ minimum: 1, maximum: 3_600 }),
  sessionId: id('bos'),
  operatorId: id('opr'),
  deviceId: id('dev'),
  tenantId: id('tnt'),
  /** When signing in again is required. */
  familyExpiresAt: instant(),
})
export type IssuedTokens = Static<typeof IssuedTokens>

export const StaffSession = Type.Object({
  sessionId: id('bos'),
  tenantId: id('tnt'),
  operatorId: id('opr'),
  deviceId: id('dev'),
  jkt: jkt(),
  familyExpiresAt: instant(),
  status: Type.Enum(['active', 'revoked']),
})
export type StaffSession = Static<typeof StaffSession>

export const RegisteredDevice = Type.Object({
  deviceId: id('dev'),
  name: text(80),
  platform: Type.Enum([...DEVICE_PLATFORMS]),
  appVersion: text(40),
  jkt: jkt(),
  /** Who signed in last. */
  operatorId: id('opr'),
  registeredAt: instant(),
  lastSignInAt: instant(),
})
export type RegisteredDevice = Static<typeof RegisteredDevice>

export const MfaChallenge = Type.Object({
  challengeId: id('chl'),
  /**
   * The authenticator signs the bytes of this text. It contains a hash of action, resource,
   * operator and device, so that the signature is of no use for anything else.
   */
  challenge: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
  expiresAt: instant(),
})
export type MfaChallenge = Static<typeof MfaChallenge>
