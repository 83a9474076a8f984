import { eventually } from '@melmastoon/testkit'
import { Client } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Checkout, comeBack, type GuestDraft, startPayment, uuidOf } from './checkout.ts'

let checkout: Checkout

export function describeWaitingClaims(shared: () => Checkout): void {
  beforeAll(() => {
    checkout = shared()
  })

  describe('a claim that waited for the record', () => {
    const lockWaits = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`

    /** A guest returns while another transaction, which changes the attempt, locks the record. */
    const returnAfter = async (own: GuestDraft, status: 'closed' | 'open'): Promise<boolean> => {
      const { environment } = checkout
      const { schema, adminUrl } = environment
      const draft = [uuidOf(own.draftId)]
      const other = new Client({ connectionString: adminUrl })
      await other.connect()
      await other.query('begin')
      await other.query(
        `update ${schema}.booking_fulfilment set next_at = null where draft_id = $1`,
        draft,
      )
      await other.query(
        `update ${schema}.booking_payment_attempt set status = '${status}' where draft_id = $1`,
        draft,
      )
      const returned = comeBack(own)
      await eventually(async () => expect(await environment.query(lockWaits)).not.toEqual([]))
      await other.query('commit')
      await other.end()
      expect((await returned).status).toBeLessThan(500)
      const rows = await environment.query(
        `select 1 from ${schema}.booking_fulfilment
         where draft_id = $1 and next_at is not null`,
        draft,
      )
      return rows.length === 1
    }

    it('leaves it due while there is an attempt that the claim has not seen', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'mobile_money')
      const { environment } = checkout
      await environment.query(
        `update ${environment.schema}.booking_payment_attempt set status = 'closed'
         where draft_id = $1`,
        [uuidOf(own.draftId)],
      )
      expect(await returnAfter(own, 'closed')).toBe(false)
      expect(await returnAfter(own, 'open')).toBe(true)
    })
  })
}
