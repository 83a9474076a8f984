/**
 * The accounts of the demo world: every detailed hotel has the operators `desk`, `housekeeper`,
 * `housekeeping-lead`, `technician`, `manager` and `owner`, all with these credentials. They are
 * public, so they exist in the sandbox only.
 */
export const DEMO_STAFF = {
  /** A hotel with two properties. */
  tenantSlug: 'gulistan-hotel',
  password: 'demo staff only',
  /** Base32, to be typed into an authenticator application. */
  totpSecret: 'MELMASTOONDEMOSTAFFTOTPSECRET234',
  /** The private key of the authenticator that signs challenges (RFC 8037). */
  authenticatorJwk: {
    kty: 'OKP',
    crv: 'Ed25519',
    x: '6gmTSu-8vZtEQ5OSeHXp9lykXf3aV47PWSiaQaZ1NdA',
    d: 'l0VoYNVVnOgyhuG0oZtjybhF5fB7d1nEQjKW9mHBL-k',
  },
} as const
