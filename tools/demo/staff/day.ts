import { expectThat } from '../shared/demo-failure.ts'
import type { StaffDemo } from './demo.ts'
import { checkIn, chooseArrival, postCharge, readDashboard, seeCheckIn } from './front-desk.ts'
import { acknowledgeAlert, modifySuggestion } from './inboxes.ts'
import { LiveEvents } from './live-events.ts'
import { cleanOffline } from './offline.ts'
import { issueKey, revokeKey } from './room-keys.ts'
import { chooseHotel, rejectionOf, type StaffMember, signIn, V1 } from './staff-member.ts'

/** A day at the front desk of a demo hotel. */
export async function runDay(demo: StaffDemo): Promise<void> {
  demo.say.title('A device of the front desk')
  const hotel = await chooseHotel(demo)
  const desk = await signIn(demo, 'desk', hotel)
  await using events = await LiveEvents.open(demo, desk)
  await readDashboard(demo, desk)
  demo.say.title('An arrival')
  const stay = await chooseArrival(demo, desk)
  const checkedIn = await checkIn(demo, desk, stay)
  await seeCheckIn(demo, events, checkedIn)
  const { reservationId } = checkedIn
  const keyId = await issueKey(demo, desk, reservationId)
  await postCharge(demo, desk, checkedIn)
  demo.say.title('Alerts and suggestions')
  await acknowledgeAlert(demo, desk, events)
  await modifySuggestion(demo, desk, events)
  demo.say.title('A lost key')
  await revokeKey(demo, desk, { reservationId, keyId })
  demo.say.title('Housekeeping without a network')
  await cleanOffline(demo, hotel)
  demo.say.title('The end of the shift')
  await signOut(demo, desk, events)
}

/** The token is still valid, but nothing accepts it. */
async function signOut({ say }: StaffDemo, desk: StaffMember, events: LiveEvents): Promise<void> {
  await desk.api.POST(`${V1}/auth/sign-out`)
  const code = await rejectionOf(desk.api.GET(`${V1}/session`))
  expectThat(code === 'MELMASTOON.SESSION.REVOKED', `after signing out: ${code}`)
  const { data } = await events.next(({ event }) => event === 'bye', 'bye')
  say.step('Sign out')
  say.detail(`the same token is rejected: ${code}; the stream ends: ${String(data['reason'])}`)
}
