import type { FastResponder } from '@melmastoon/chassis/http'
import { peekAvailability } from '../../availability/read-availability.ts'
import { memoizeStayQueries } from '../../availability/stay-request.ts'
import type { BookingContext } from '../../context.ts'
import { peekOnlyProperty } from '../../properties/read-property.ts'
import { choosePreferences } from '../../sessions/site-preferences.ts'
import { AVAILABILITY_CACHING, type AvailabilityQuery } from '../routes/read-availability.ts'
import type { AdmitGuest } from './fast-guest.ts'

/** The rooms of a hotel for a stay, as their route sends them. */
export function readyAvailability(ctx: BookingContext, admit: AdmitGuest): FastResponder {
  const readStay = memoizeStayQueries()
  return (request) => {
    const admitted = admit(request)
    if (admitted === undefined) return undefined
    const { site, client, session } = admitted
    const { tenantId } = site
    const query = request.input.query as AvailabilityQuery
    const propertyId = query.propertyId ?? peekOnlyProperty(ctx, tenantId)
    if (propertyId === undefined) return undefined
    const preferences = choosePreferences(site, { query, client, stored: session?.data })
    const requested = { tenantId, propertyId, ...preferences }
    const bytes = peekAvailability(ctx, { ...requested, ...readStay(query, ctx.clock.nowMs()) })
    if (bytes === undefined) return undefined
    request.addHeader('content-language', preferences.locale)
    return { bytes, options: AVAILABILITY_CACHING }
  }
}
