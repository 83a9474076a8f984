import type { FastResponder } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../../context.ts'
import type { PageRequest } from '../../search/search-query.ts'
import { guestPreferences } from '../../sessions/guest-preferences.ts'
import { isSeenRecently } from '../../sessions/touch-session.ts'
import { recordSearch, SEARCH_CACHING, type SearchOperation } from '../serve-search.ts'
import { type AdmitGuest, announceGuestLimit } from './fast-guest.ts'

/** A list or a map for a guest with a session, as `serveSearch` sends it. */
export function readySearch<
  Body extends { readonly locale?: string; readonly currency?: string },
  Page extends PageRequest,
>(
  ctx: ConsumerContext,
  admit: AdmitGuest,
  { plan, peek }: Pick<SearchOperation<Body, Page>, 'plan' | 'peek'>,
): FastResponder {
  return (request) => {
    const admitted = admit(request, 'guarded')
    if (admitted?.guest === undefined) return undefined
    const { client, guest } = admitted
    const nowMs = ctx.clock.nowMs()
    // Another visit is stored, and may renew the cookie.
    if (!isSeenRecently(guest, nowMs)) return undefined
    const body = request.input.body as Body
    const preferences = guestPreferences.choose({ body, client, stored: guest.data })
    const page = plan(body, preferences, nowMs)
    const served = peek(ctx, page)
    if (served === undefined) return undefined
    const search = recordSearch(ctx, request, { client, guest, isNew: false, page, served })
    announceGuestLimit(request, admitted)
    request.addHeader('x-search-session', search.id)
    request.addHeader('content-language', page.locale)
    return { bytes: served.bytes, options: { ...SEARCH_CACHING, servedFor: served.origin } }
  }
}
