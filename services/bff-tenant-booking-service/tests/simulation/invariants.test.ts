import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { confirmBooking, KEYS, openBooking } from './invariants/open-booking.ts'

describe('the invariants', () => {
  it('hold for a booking that is paid and confirmed', async () => {
    const booking = await openBooking()
    const { intentId } = await confirmBooking(booking)
    booking.conclude()
    expect(booking.found()).toEqual([])
    booking.refundByStaff(intentId)
    booking.conclude()
    expect(booking.found()).toEqual([])
  })

  it('hold for a booking that is released and refunded', async () => {
    const booking = await openBooking()
    const { record, attempt, draftId, look } = booking
    look()
    const { paymentIntentId: intentId } = await booking.money(KEYS.intent)
    look({ attempts: [{ ...attempt, intentId, status: 'paid' }] })
    const releasing = { ...record, state: 'releasing', decision: 'release' } as const
    look({ records: [{ ...releasing, cancelKey: KEYS.cancel }] })
    const params = { reservationId: booking.reservationId }
    await booking.clients.reservation.cancel(
      { params, body: { reasonCode: 'sold_out' } },
      booking.call(KEYS.cancel),
    )
    look()
    await booking.refund(intentId)
    look({
      records: [{ ...releasing, state: 'released', nextAtMs: null }],
      drafts: [{ draftId, state: 'failed' }],
      attempts: [{ ...attempt, intentId, status: 'refunded' }],
    })
    booking.conclude()
    expect(booking.found()).toEqual([])
  })

  it('F1 money without a stay', async () => {
    const booking = await openBooking()
    booking.look({ records: [{ ...booking.record, nextAtMs: 2_000 }] })
    await booking.money(KEYS.intent)
    booking.look()
    expect(booking.found()).toEqual([])
    booking.conclude()
    expect(booking.found()).toEqual(['F1'])
  })

  it('F1, F4 a refund although the stay is confirmed', async () => {
    const booking = await openBooking()
    const { intentId } = await confirmBooking(booking)
    await booking.refund(intentId)
    booking.conclude()
    expect(booking.found()).toEqual(['F1', 'F4'])
  })

  it('F2 two stays of one draft', async () => {
    const booking = await openBooking()
    const { intentId } = await confirmBooking(booking)
    const { reservationId } = await booking.hold('another key of a hold')
    await booking.clients.reservation.confirm(
      {
        params: { reservationId },
        body: {
          guest: { fullName: 'Zarmina', email: 'zarmina@example.org' },
          payment: { method: 'card', paymentIntentId: intentId },
          expectedDigest: booking.quote.digest,
        },
      },
      booking.call(KEYS.cancel),
    )
    booking.look()
    expect(booking.found()).toEqual(['F2'])
  })

  it('F2 a stay paid by another intent than that of the record', async () => {
    const booking = await openBooking()
    const { confirmed } = await confirmBooking(booking)
    booking.look({ records: [{ ...confirmed, intentId: newId('pyi') }] })
    expect(booking.found()).toContain('F2')
  })

  it('F1, F3 two payments of a settled draft', async () => {
    const booking = await openBooking()
    const { paid } = await confirmBooking(booking)
    const second = { ...paid, no: 2, key: 'the key of the second intent', intentId: null }
    booking.look({ attempts: [paid, second] })
    await booking.money(second.key)
    booking.look()
    expect(booking.found()).toEqual([])
    booking.conclude()
    expect(booking.found()).toEqual(['F1', 'F3'])
  })

  it('F4 a refund before the cancellation', async () => {
    const booking = await openBooking()
    booking.look()
    const { paymentIntentId } = await booking.money(KEYS.intent)
    await booking.refund(paymentIntentId)
    booking.look()
    expect(booking.found()).toEqual(['F4'])
  })

  it('F4 a confirmation after the decision to release', async () => {
    const booking = await openBooking()
    const { record, look } = booking
    look()
    const { paymentIntentId: intentId } = await booking.money(KEYS.intent)
    const releasing = { ...record, state: 'releasing', decision: 'release', intentId } as const
    look({ records: [{ ...releasing, confirmKey: KEYS.confirm }] })
    await booking.confirm(intentId)
    look()
    expect(booking.found()).toEqual(['F4'])
  })

  it('F5 another amount', async () => {
    const booking = await openBooking()
    const { confirmed } = await confirmBooking(booking)
    booking.look({ records: [{ ...confirmed, amountMicro: '1' }] })
    expect(booking.found()).toEqual(['F5'])
  })

  it('F5 another amount that staff captured, once the booking is confirmed', async () => {
    const booking = await openBooking()
    const { intentId } = await confirmBooking(booking, 'manual')
    expect(booking.found()).toEqual([])
    booking.captureByStaff(intentId, '10000000')
    booking.look()
    expect(booking.found()).toEqual(['F5'])
  })

  it('F6, F7 responses that are too early', async () => {
    const booking = await openBooking()
    const { draftId, look } = booking
    look()
    const { paymentIntentId: intentId } = await booking.money(KEYS.intent)
    const seen = { draftId, auditLength: booking.audit.entries.length }
    look({ responses: [{ ...seen, shows: 'checking', recordState: 'open' }] })
    expect(booking.found()).toEqual([])
    look({ responses: [{ ...seen, shows: 'confirmed', recordState: 'confirming' }] })
    expect(booking.found()).toEqual(['F6'])
    look({
      responses: [{ ...seen, shows: 'declined', intentIds: [intentId], recordState: 'open' }],
    })
    expect(booking.found()).toEqual(['F6', 'F7'])
  })

  it('F7 a failure before the release', async () => {
    const booking = await openBooking()
    const seen = { draftId: booking.draftId, auditLength: 0, shows: 'failed' } as const
    booking.look({ responses: [{ ...seen, recordState: 'released' }] })
    expect(booking.found()).toEqual([])
    booking.look({ responses: [{ ...seen, recordState: 'releasing' }] })
    expect(booking.found()).toEqual(['F7'])
  })

  it('F8 a decision without a read after the claim', async () => {
    const booking = await openBooking()
    const { record, attempt, look } = booking
    look()
    const { paymentIntentId: intentId } = await booking.money(KEYS.intent)
    look({ attempts: [{ ...attempt, intentId, status: 'paid' }] })
    await booking.read(intentId)
    // The claim follows the read.
    look({ records: [{ ...record, attempt: 2 }] })
    const decided = { ...record, state: 'confirming', decision: 'confirm', intentId } as const
    look({ records: [{ ...decided, attempt: 2, confirmKey: KEYS.confirm }] })
    expect(booking.found()).toEqual(['F8'])
  })

  it('F8 a decision although the read showed a refund', async () => {
    const booking = await openBooking()
    const { record, attempt, look } = booking
    look()
    const { paymentIntentId: intentId } = await booking.money(KEYS.intent)
    booking.refundByStaff(intentId)
    look({
      attempts: [{ ...attempt, intentId, status: 'paid' }],
      records: [{ ...record, attempt: 2 }],
    })
    await booking.read(intentId)
    const decided = { ...record, state: 'confirming', decision: 'confirm', intentId } as const
    look({ records: [{ ...decided, attempt: 2, confirmKey: KEYS.confirm }] })
    expect(booking.found()).toEqual(['F8'])
  })

  it('F9 an attempt closed while its intent has money, and a settled record that changes', async () => {
    const booking = await openBooking()
    const { paid, confirmed } = await confirmBooking(booking)
    booking.look({ attempts: [{ ...paid, status: 'closed' }] })
    expect(booking.found()).toEqual(['F9'])
    const other = await openBooking()
    const { confirmed: settled } = await confirmBooking(other)
    other.look({ records: [{ ...settled, outcomeCode: 'sold_out' }] })
    expect([other.found(), confirmed.state]).toEqual([['F9'], 'confirmed'])
  })

  it('F9 unless an attempt was closed by its intent, captured after all since the claim', async () => {
    const isClosedAfter = async (isClaimedAgain: boolean) => {
      const booking = await openBooking()
      const { attempt, record, tenantId, look } = booking
      look()
      const { paymentIntentId: intentId } = await booking.money(KEYS.intent, 'manual')
      look({ attempts: [{ ...attempt, intentId, status: 'open' }] })
      const input = { params: { paymentIntentId: intentId }, body: { reasonCode: 'switched' } }
      await booking.clients.payment.cancelIntent(input, booking.call(KEYS.cancel))
      booking.payments.settleAnyway(tenantId, intentId)
      if (isClaimedAgain) look({ records: [{ ...record, attempt: 2 }] })
      look({ attempts: [{ ...attempt, intentId, status: 'closed' }] })
      return booking.found()
    }
    expect(await isClosedAfter(false)).toEqual([])
    expect(await isClosedAfter(true)).toEqual(['F9'])
  })

  it('F10 two ends, a missing event and a repeated event', async () => {
    const booking = await openBooking()
    const { draftId, look } = booking
    const created = { subject: 'draft.created.v1', draftId }
    look({ events: [created, { subject: 'draft.abandoned.v1', draftId }] })
    expect(booking.found()).toEqual(['F10'])
    const second = await openBooking()
    second.look({ drafts: [{ draftId: second.draftId, state: 'abandoned' }] })
    expect(second.found()).toEqual(['F10'])
    const third = await openBooking()
    const again = { subject: 'draft.created.v1', draftId: third.draftId }
    third.look({ events: [again, again] })
    expect(third.found()).toEqual(['F10'])
  })

  it('F11 a call with a key that is not committed', async () => {
    const booking = await openBooking()
    booking.look()
    await booking.money('a key that no row has')
    booking.look()
    expect(booking.found()).toEqual(['F11'])
  })

  it('F12 an open record that is never due, and one that is still due at the end', async () => {
    const booking = await openBooking()
    booking.look({ records: [{ ...booking.record, nextAtMs: null }] })
    expect(booking.found()).toEqual(['F12'])
    const other = await openBooking()
    other.look()
    expect(other.found()).toEqual([])
    other.conclude()
    expect(other.found()).toEqual(['F12'])
  })
})
