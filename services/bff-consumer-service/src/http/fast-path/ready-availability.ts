import type { FastRequest, FastResponder } from '@melmastoon/chassis/http'
import { peekAvailability } from '../../availability/read-availability.ts'
import type { ConsumerContext } from '../../context.ts'
import { memoizePlans, type Preferences } from '../../search/plan-page.ts'
import { choosePublicDocument } from '../public-document.ts'
import {
  AVAILABILITY_CACHING,
  type AvailabilityInput,
  planAvailability,
} from '../routes/read-availability.ts'
import type { AdmitGuest } from './fast-guest.ts'

/** The rooms of a hotel per night, as their route sends them. */
export function readyAvailability(ctx: ConsumerContext, admit: AdmitGuest): FastResponder {
  const plan = memoizePlans((input: AvailabilityInput, _preferences: Preferences, now: Date) =>
    planAvailability(input, now),
  )
  return (request) => {
    const admitted = admit(request, 'guarded')
    if (admitted === undefined) return undefined
    const input = request.input as AvailabilityInput & FastRequest['input']
    const { preferences } = choosePublicDocument(input.query, admitted.client)
    const bytes = peekAvailability(ctx, plan(input, preferences, ctx.clock.nowMs()))
    return bytes && { bytes, options: AVAILABILITY_CACHING }
  }
}
