import { describe, expect, it } from 'vitest'
import { OPERATIONAL_EVENTS, registry } from '../../src/events/registry.ts'

const PREFIX = 'melmastoon.bff.tenant.'

/** The event schemas document §3, §6: fields in order, class, days, sample rate, debounce. */
const DOCUMENTED: Readonly<Record<string, readonly [string, string, number, number, number?]>> = {
  'bootstrap.served.v1': [
    `tenantId tenantSlug sessionId locale currency themeVersion tenantConfigVersion fanoutLatencyMs
     cache handoffArrivalId`,
    'operational',
    90,
    1,
    300,
  ],
  /** `handoffId` is an addition: it names the handoff to the service that minted it (D4). */
  'handoff.consumed.v1': [
    `tenantId handoffId handoffArrivalId consumerSessionId propertyId campaign mintedAt consumedAt
     elapsedMs hmacSignatureFingerprint`,
    'audit',
    365,
    1,
  ],
  'booking.draft.created.v1': [
    `tenantId draftId sessionId reservationId holdExpiresAt propertyId roomTypeId ratePlanId
     stayWindow occupancy totalDisplay promoCode deviceClass handoffArrivalId`,
    'regulated',
    1095,
    1,
  ],
  'booking.draft.abandoned.v1': [
    `tenantId draftId sessionId lastFlowState createdAt abandonedAt lastActivityAt propertyId
     roomTypeId totalDisplayPotential errorTrail guestEmailHash`,
    'regulated',
    1095,
    1,
  ],
  'booking.draft.converted.v1': [
    `tenantId draftId sessionId reservationId createdAt convertedAt elapsedMs propertyId roomTypeId
     ratePlanId totalCapturedMinor totalCapturedCurrency paymentMethod paymentProvider
     marketingAttribution handoffArrivalId deviceClass`,
    'regulated',
    2555,
    1,
  ],
  'payment_intent.created.v1': [
    `tenantId draftId intentId method provider amountMinor currency redirectFlow createdAt`,
    'regulated',
    2555,
    1,
  ],
  /** Regulated, as D15 decides between the two statements of the document. */
  'confirmation.viewed.v1': [
    `tenantId reservationId sessionId viewedAt elapsedFromConfirmMs deviceClass locale cache`,
    'regulated',
    2555,
    1,
    86_400,
  ],
  'flow.step_completed.v1': [
    `tenantId draftId sessionId fromState toState stepLatencyMs completedAt`,
    'operational',
    30,
    0.25,
  ],
  'flow.error_encountered.v1': [
    `tenantId draftId sessionId atState errorCode upstream occurredAt userActionable retryAfterSec`,
    'operational',
    90,
    1,
  ],
  'locale.changed.v1': [`tenantId sessionId from to isRtlChange changedAt`, 'operational', 90, 1],
  'currency.changed.v1': [`tenantId sessionId from to draftId changedAt`, 'operational', 90, 1],
}

function definition(subject: string) {
  const found = registry.get(`${PREFIX}${subject}`)
  if (found === undefined) throw new Error(`no event ${subject}`)
  return found
}

it('has the documented subjects and no others', () => {
  const subjects = registry.definitions.map(({ subject }) => subject)
  expect(subjects.toSorted()).toEqual(
    Object.keys(DOCUMENTED)
      .map((subject) => `${PREFIX}${subject}`)
      .toSorted(),
  )
})

it('requires consent for operational events only', () => {
  const operational = registry.definitions.filter((each) => each.retentionClass === 'operational')
  expect(operational).toEqual([...OPERATIONAL_EVENTS])
})

describe.each(Object.entries(DOCUMENTED))('%s', (subject, documented) => {
  const [fields, retentionClass, retentionDays, sampleRate, debounceSeconds] = documented

  it('has exactly the documented fields, all of them required', () => {
    const { payload } = definition(subject)
    const expected = fields.trim().split(/\s+/)
    expect(payload).toMatchObject({ required: expected, additionalProperties: false })
    expect('properties' in payload && Object.keys(payload.properties as object)).toEqual(expected)
  })

  it('has the documented retention, sample rate and debounce', () => {
    expect(definition(subject)).toMatchObject({ retentionClass, retentionDays, sampleRate })
    expect(definition(subject).debounceSeconds).toBe(debounceSeconds)
  })
})
