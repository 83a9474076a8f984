import { type Static, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { id, instant, ResourceHistory, StaffChange, text } from '../schemas.ts'
import {
  KEY_KINDS,
  KEY_STATES,
  LOCK_ACTIONS,
  LOCK_FAILURES,
  LOCK_REQUEST_STATES,
  LOCK_VENDORS,
  REVOKE_REASONS,
} from './terms.ts'

export {
  KEY_KINDS,
  KEY_STATES,
  type KeyKind,
  type KeyState,
  LOCK_ACTIONS,
  LOCK_FAILURES,
  LOCK_REQUEST_STATES,
  LOCK_VENDORS,
  type LockAction,
  type LockFailure,
  type LockRequestState,
  type LockVendor,
  REVOKE_REASONS,
  type RevokeReason,
} from './terms.ts'

/**
 * Chosen by the caller before the call: the action can be found by it whatever happens to the
 * response.
 */
const requestId = () => Type.String({ pattern: '^[A-Za-z0-9_-]{16,64}$' })

const rooms = () => Type.Array(id('rmu'), { minItems: 1, maxItems: 10, uniqueItems: true })

const version = () => Type.Integer({ minimum: 1 })

const credentialMembers = {
  keyId: id('key'),
  propertyId: id('ppt'),
  reservationId: id('rsv'),
  rooms: rooms(),
  kind: Type.Enum([...KEY_KINDS]),
  state: Type.Enum([...KEY_STATES]),
  vendor: Type.Enum([...LOCK_VENDORS]),
  validFrom: instant(),
  validUntil: instant(),
  version: version(),
  updatedAt: instant(),
  /** Of the request that issued it; absent when the vendor does not know it. */
  requestId: Type.Optional(requestId()),
}

/** Without its secret. */
export const KeyCredential = Type.Object(credentialMembers)
export type KeyCredential = Static<typeof KeyCredential>

export const KeyCredentialDetail = Type.Object({
  ...credentialMembers,
  history: ResourceHistory(Type.Enum([...KEY_STATES])),
})
export type KeyCredentialDetail = Static<typeof KeyCredentialDetail>

const requestMembers = {
  requestId: requestId(),
  action: Type.Enum([...LOCK_ACTIONS]),
  state: Type.Enum([...LOCK_REQUEST_STATES]),
  /** As it is now. */
  credential: Type.Optional(KeyCredential),
  failureReason: Type.Optional(Type.Enum([...LOCK_FAILURES])),
  /** The vendor's own code of its last response: `-3003`. */
  vendorCode: Type.Optional(text(40)),
  /** From the command until the vendor's last response; 0 while there is none. */
  vendorLatencyMs: Type.Integer({ minimum: 0 }),
  /** When the state was reached. */
  at: instant(),
}

/** One action and its outcome. */
export const LockRequest = Type.Object(requestMembers)
export type LockRequest = Static<typeof LockRequest>

export const IssuedKey = Type.Object({
  ...requestMembers,
  /**
   * For the guest, in this response and its repetitions only. Callers show it and never store,
   * log or publish it.
   */
  secret: Type.Optional(Type.Object({ pin: Type.String({ pattern: '^[0-9]{4,9}$' }) })),
})
export type IssuedKey = Static<typeof IssuedKey>

const { expectedVersion, ...byStaff } = StaffChange
const issueMembers = { requestId: requestId(), ...byStaff }
const changeMembers = { ...issueMembers, expectedVersion }

const ofKey = { params: Type.Object({ keyId: id('key') }), tenantScoped: true } as const
const ofProperty = {
  method: 'GET',
  params: Type.Object({ propertyId: id('ppt') }),
  tenantScoped: true,
} as const

const REJECTIONS = [
  'MELMASTOON.LOCK.REQUEST_ID_REUSED',
  'MELMASTOON.LOCK.VENDOR_REFUSED',
  'MELMASTOON.LOCK.NO_CAPABLE_DEVICE',
  'MELMASTOON.LOCK.GATEWAY_BUSY',
] as const

const CHANGE_REJECTIONS = [
  'MELMASTOON.LOCK.CREDENTIAL_NOT_FOUND',
  'MELMASTOON.LOCK.VERSION_CONFLICT',
  ...REJECTIONS,
] as const

const change = { ...ofKey, method: 'POST', idempotent: true, response: LockRequest } as const

export const lockContract = defineContract({
  upstream: 'lock',
  basePath: '/api/v1',
  operations: {
    issue: {
      method: 'POST',
      path: '/key-credentials',
      summary: 'Issue a key for rooms; accepted, or settled if the vendor responds in time',
      body: Type.Object({
        ...issueMembers,
        propertyId: id('ppt'),
        reservationId: id('rsv'),
        rooms: rooms(),
        validFrom: instant(),
        validUntil: instant(),
        kind: Type.Enum([...KEY_KINDS]),
      }),
      response: IssuedKey,
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.PROPERTY.NOT_FOUND',
        'MELMASTOON.LOCK.WINDOW_INVALID',
        ...REJECTIONS,
      ],
    },
    revoke: {
      ...change,
      path: '/key-credentials/:keyId/revoke',
      summary: 'Revoke a key; also while it is being issued',
      body: Type.Object({
        ...changeMembers,
        reason: Type.Enum([...REVOKE_REASONS]),
      }),
      errorCodes: CHANGE_REJECTIONS,
    },
    rebind: {
      ...change,
      path: '/key-credentials/:keyId/rebind',
      summary: 'Make an active key open other rooms instead',
      body: Type.Object({
        ...changeMembers,
        rooms: rooms(),
      }),
      errorCodes: [...CHANGE_REJECTIONS, 'MELMASTOON.LOCK.ILLEGAL_TRANSITION'],
    },
    extend: {
      ...change,
      path: '/key-credentials/:keyId/extend',
      summary: 'Change the end of the validity of an active key',
      body: Type.Object({
        ...changeMembers,
        validUntil: instant(),
      }),
      errorCodes: [
        ...CHANGE_REJECTIONS,
        'MELMASTOON.LOCK.ILLEGAL_TRANSITION',
        'MELMASTOON.LOCK.WINDOW_INVALID',
      ],
    },
    getRequest: {
      method: 'GET',
      path: '/requests/:requestId',
      summary: 'Get an action by the id that the caller chose',
      params: Type.Object({ requestId: requestId() }),
      response: LockRequest,
      tenantScoped: true,
      errorCodes: ['MELMASTOON.LOCK.REQUEST_NOT_FOUND'],
    },
    getCredential: {
      ...ofKey,
      method: 'GET',
      path: '/key-credentials/:keyId',
      summary: 'Get a key with its history',
      response: KeyCredentialDetail,
      errorCodes: ['MELMASTOON.LOCK.CREDENTIAL_NOT_FOUND'],
    },
    listCredentials: {
      ...ofProperty,
      path: '/properties/:propertyId/key-credentials',
      summary: 'List the keys of a property, newest first',
      query: Type.Object({
        reservationId: Type.Optional(id('rsv')),
        roomId: Type.Optional(id('rmu')),
        state: Type.Optional(Type.Enum([...KEY_STATES])),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
        cursor: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,200}$' })),
      }),
      response: Type.Object({
        credentials: Type.Array(KeyCredential, { maxItems: 200 }),
        /** Null on the last page. */
        nextCursor: Type.Union([text(200), Type.Null()]),
      }),
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND', 'MELMASTOON.LOCK.CURSOR_INVALID'],
    },
    getVendor: {
      ...ofProperty,
      path: '/properties/:propertyId/vendor',
      summary: 'Get the lock system of a property and its limits',
      response: Type.Object({
        propertyId: id('ppt'),
        vendor: Type.Enum([...LOCK_VENDORS]),
        kinds: Type.Array(Type.Enum([...KEY_KINDS]), { minItems: 1, maxItems: 5 }),
        /** After this time a command without a confirmation has certainly had no effect. */
        maxDelaySeconds: Type.Integer({ minimum: 1 }),
        /** A second command during another one is rejected with `GATEWAY_BUSY`. */
        commandsAtOnce: Type.Integer({ minimum: 1 }),
        /** As last reported by the vendor, which may notice an offline gateway late. */
        gateway: Type.Enum(['online', 'offline']),
      }),
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
  },
})
