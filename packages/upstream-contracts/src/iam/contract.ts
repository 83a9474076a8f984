import { Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { id, instant, text } from '../schemas.ts'
import {
  code,
  IssuedTokens,
  Jwks,
  jkt,
  MFA_FACTORS,
  MfaChallenge,
  opaque,
  RegisteredDevice,
  StaffSession,
} from './schemas.ts'

export {
  DEVICE_PLATFORMS,
  IssuedTokens,
  Jwks,
  MFA_FACTORS,
  MfaChallenge,
  type MfaFactor,
  RegisteredDevice,
  StaffSession,
} from './schemas.ts'

export const ACCESS_TOKEN_TYPE = 'at+jwt'
export const ACCESS_TOKEN_AUDIENCE = 'bff-backoffice'

const SessionParams = Type.Object({ sessionId: id('bos') })
const OperatorParams = Type.Object({ operatorId: id('opr') })

/** What the operator wants to do: an attestation is for this and nothing else. */
const purpose = {
  operatorId: id('opr'),
  deviceId: id('dev'),
  action: code(),
  resourceKind: code(),
  resourceId: text(64),
}

/** Staff sign in at iam directly; services verify, refresh and revoke sessions here. */
export const iamContract = defineContract({
  upstream: 'iam',
  basePath: '/api/v1',
  operations: {
    jwks: {
      method: 'GET',
      path: '/jwks',
      summary: 'List the keys that verify access tokens',
      response: Jwks,
      errorCodes: [],
    },
    /**
     * Without an idempotency key, because the token is the key: while its successor is unused, the
     * same token returns a successor again.
     */
    refresh: {
      method: 'POST',
      path: '/sessions/refresh',
      summary: 'Exchange a refresh token for new tokens; reuse after that revokes the session',
      body: Type.Object({ refreshToken: opaque(512), jkt: jkt() }),
      response: IssuedTokens,
      errorCodes: ['MELMASTOON.IAM.REFRESH_INVALID', 'MELMASTOON.IAM.REFRESH_REUSED'],
    },
    validateSession: {
      method: 'GET',
      path: '/sessions/:sessionId',
      summary: 'Get a session; with `jkt`, only if it is bound to that device key',
      params: SessionParams,
      query: Type.Object({ jkt: Type.Optional(jkt()) }),
      response: StaffSession,
      tenantScoped: true,
      errorCodes: ['MELMASTOON.IAM.SESSION_NOT_FOUND'],
    },
    revokeSession: {
      method: 'POST',
      path: '/sessions/:sessionId/revoke',
      summary: 'Revoke a session: its tokens are rejected from now on',
      params: SessionParams,
      body: Type.Object({ reasonCode: code() }),
      response: StaffSession,
      tenantScoped: true,
      idempotent: true,
      errorCodes: ['MELMASTOON.IAM.SESSION_NOT_FOUND'],
    },
    factors: {
      method: 'GET',
      path: '/operators/:operatorId/factors',
      summary: 'List the factors that an operator can confirm a sensitive action with',
      params: OperatorParams,
      response: Type.Object({
        factors: Type.Array(Type.Enum([...MFA_FACTORS]), { maxItems: 2 }),
      }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.IAM.OPERATOR_NOT_FOUND'],
    },
    createMfaChallenge: {
      method: 'POST',
      path: '/mfa/challenges',
      summary: 'Create a challenge for the authenticator of the operator to sign',
      status: 201,
      body: Type.Object(purpose),
      response: MfaChallenge,
      tenantScoped: true,
      idempotent: true,
      errorCodes: ['MELMASTOON.IAM.OPERATOR_NOT_FOUND', 'MELMASTOON.IAM.MFA_LOCKED'],
    },
    attest: {
      method: 'POST',
      path: '/mfa/attestations',
      summary: 'Verify a one-time code or a signed challenge',
      body: Type.Object({
        ...purpose,
        sessionId: id('bos'),
        factor: Type.Enum([...MFA_FACTORS]),
        /** For `totp` (RFC 6238): accepted once. */
        code: Type.Optional(Type.String({ pattern: '^\\d{6}$' })),
        /** For `signed_challenge`. */
        challengeId: Type.Optional(id('chl')),
        /** The signature in base64url: EdDSA, or ES256 as in RFC 7518 §3.4. */
        assertion: Type.Optional(opaque(200)),
      }),
      response: Type.Object({ attestedAt: instant(), factor: Type.Enum([...MFA_FACTORS]) }),
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.IAM.SESSION_NOT_FOUND',
        'MELMASTOON.IAM.MFA_FAILED',
        'MELMASTOON.IAM.MFA_LOCKED',
      ],
    },
    listDevices: {
      method: 'GET',
      path: '/devices',
      summary: 'List the registered devices of the tenant, or those used at one property, by id',
      query: Type.Object({
        propertyId: Type.Optional(id('ppt')),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
        cursor: Type.Optional(id('dev')),
      }),
      response: Type.Object({
        devices: Type.Array(RegisteredDevice, { maxItems: 100 }),
        nextCursor: Type.Optional(id('dev')),
      }),
      tenantScoped: true,
      errorCodes: [],
    },
  },
})
