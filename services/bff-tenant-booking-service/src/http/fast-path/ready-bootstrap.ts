import { eventCause, type FastRequest, type FastResponder } from '@melmastoon/chassis/http'
import { peekBootstrap } from '../../bootstrap/read-bootstrap.ts'
import type { BookingContext } from '../../context.ts'
import type { BookingSession } from '../../sessions/booking-session.ts'
import { choosePreferences } from '../../sessions/site-preferences.ts'
import { continueSession } from '../../sessions/start-session.ts'
import { newGuestOf, setCookieIfNew } from '../request-guest.ts'
import {
  type BootstrapParameters,
  completeBootstrap,
  handoffTokenOf,
  NO_REFERRER,
} from '../routes/get-bootstrap.ts'
import type { AdmitGuest, FastGuest } from './fast-guest.ts'

/**
 * What a site needs to start, as its route sends it: the shared part as it is cached, and the part
 * of this response. Nothing is decided for the guest before it is known to be ready.
 */
export function readyBootstrap(ctx: BookingContext, admit: AdmitGuest): FastResponder {
  return (request) => {
    const { raw, encodings, input } = request
    const query = input.query as BootstrapParameters
    const isAssembled = encodings.includes('identity')
    if (!isAssembled || handoffTokenOf(raw, query.h) !== undefined) return undefined
    const admitted = admit(request)
    if (admitted === undefined) return undefined
    const { site, client } = admitted
    const preferences = choosePreferences(site, { query, client, stored: admitted.session?.data })
    const served = peekBootstrap(ctx, { site, ...preferences })
    if (served === undefined) return undefined
    request.addHeader(...NO_REFERRER)
    const session = openSession(ctx, request, admitted)
    const cause = () => eventCause(ctx, request, { tenantId: site.tenantId })
    const actor = { site, session, client, ...preferences, cause }
    const own = completeBootstrap(ctx, request, { actor, served, arrival: null })
    return { shared: served.bytes.body, own: JSON.stringify(own) }
  }
}

/** As `ensureSession` does. */
function openSession(
  ctx: BookingContext,
  request: FastRequest,
  { site, session }: FastGuest,
): BookingSession {
  const continued = continueSession(ctx, session, () => newGuestOf(request, site))
  const reply = { header: (name: string, value: string) => request.addHeader(name, value) }
  setCookieIfNew(reply, site, continued)
  return continued.session
}
