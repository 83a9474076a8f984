import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { closed, code, id, instant, version } from './fields.ts'

/**
 * A vendor may repeat a response, send it late or contradict it: consumers compare `requestId` and
 * `sequence`. Never contains the secret of a key.
 */
const Credential = closed({
  tenantId: id('tnt'),
  propertyId: id('ppt'),
  reservationId: id('rsv'),
  keyId: id('key'),
  rooms: Type.Array(id('rmu'), { maxItems: 10 }),
  kind: code(),
  vendor: code(),
  validFrom: instant(),
  validUntil: instant(),
  requestId: Type.String({ pattern: '^[A-Za-z0-9_-]{16,64}$' }),
  action: code(),
  /** Of the credential, after this response. */
  status: code(),
  failureReason: Type.Union([code(), Type.Null()]),
  /** The number of the response, as the vendor counts; 0 for the request itself. */
  sequence: Type.Integer({ minimum: 0 }),
  version: version(),
  occurredAt: instant(),
  causationId: Type.Union([Type.String({ minLength: 16, maxLength: 255 }), Type.Null()]),
})

const credentialEvent = {
  version: 1,
  producer: 'lock-integration-service',
  retentionClass: 'regulated',
  retentionDays: 2_557,
  sampleRate: 1,
  piiAllowed: [
    'keyId',
    'kind',
    'vendor',
    'validFrom',
    'validUntil',
    'requestId',
    'action',
    'status',
    'failureReason',
    'sequence',
    'version',
    'causationId',
  ],
  payload: Credential,
  orderingKey: (payload: { keyId: string }) => payload.keyId,
} as const

export const lockCredentialRequested = defineEvent({
  ...credentialEvent,
  retentionClass: 'operational',
  retentionDays: 90,
  subject: 'melmastoon.lock.credential.requested.v1',
})

/** Issued, or bound to other rooms. */
export const lockCredentialIssued = defineEvent({
  ...credentialEvent,
  subject: 'melmastoon.lock.credential.issued.v1',
})

/** The action failed; `action` says which. */
export const lockCredentialFailed = defineEvent({
  ...credentialEvent,
  subject: 'melmastoon.lock.credential.failed.v1',
})

export const lockCredentialRevoked = defineEvent({
  ...credentialEvent,
  subject: 'melmastoon.lock.credential.revoked.v1',
})

/** The end of the validity changed, in either direction. */
export const lockCredentialExtended = defineEvent({
  ...credentialEvent,
  subject: 'melmastoon.lock.credential.extended.v1',
})
