import { serveMessages } from '@melmastoon/bff/languages'
import type { App, SessionHook } from '@melmastoon/chassis/http'
import { isLocal } from '../../bots/captcha/create-captcha.ts'
import type { ConsumerContext } from '../../context.ts'
import type { GuestSessionData } from '../../sessions/guest-session.ts'
import { challengeHeaders } from '../describe-api.ts'
import { describeRoute } from '../describe-routes.ts'
import type { Protection } from '../protect.ts'
import { addWishRoute } from './add-wish.ts'
import { clearSessionRoute } from './clear-session.ts'
import { compareHotelsRoute } from './compare-hotels.ts'
import { getHotelRoute } from './get-hotel.ts'
import { getHotelCalendarRoute } from './get-hotel-calendar.ts'
import { getHotelOffersRoute } from './get-hotel-offers.ts'
import { getHotelPriceRoute } from './get-hotel-price.ts'
import { getSessionRoute } from './get-session.ts'
import { issueLocalChallengeRoute } from './issue-local-challenge.ts'
import { listFacetsRoute } from './list-facets.ts'
import { listLocalesRoute } from './list-locales.ts'
import { listRecentlyViewedRoute } from './list-recently-viewed.ts'
import { listWishesRoute } from './list-wishes.ts'
import { mintHandoffRoute } from './mint-handoff.ts'
import { readAvailabilityRoute } from './read-availability.ts'
import { recordFunnelStepRoute } from './record-funnel-step.ts'
import { recordPageViewRoute } from './record-page-view.ts'
import { removeWishRoute } from './remove-wish.ts'
import { searchHotelsRoute } from './search-hotels.ts'
import { searchMapRoute } from './search-map.ts'
import { setConsentRoute } from './set-consent.ts'
import { setCurrencyRoute } from './set-currency.ts'
import { setLocaleRoute } from './set-locale.ts'
import { startSessionRoute } from './start-session.ts'
import { suggestPlacesRoute } from './suggest-places.ts'

export interface Hooks extends Protection {
  readonly session: SessionHook<GuestSessionData, 'gms'>
}

/** All routes, in scopes named for the checks that a request has to pass. */
export function registerRoutes(app: App, ctx: ConsumerContext, hooks: Hooks): void {
  const { captcha } = ctx.bots

  serveMessages(app, {
    path: '/bff/consumer/v1/messages/:locale',
    operation: 'consumer.message.list',
    notSupported: 'MELMASTOON.BFF.CONSUMER.LOCALE_NOT_SUPPORTED',
  })

  /**
   * Rate limits only: what search engines may read, and what guests may always do with their data.
   */
  void app.register(async function open(scope: App) {
    scope.addHook('onRoute', (route) => describeRoute(route, false))
    scope.addHook('onRequest', hooks.session.hook)
    scope.addHook('onRequest', hooks.limited)
    listFacetsRoute(scope, ctx)
    listLocalesRoute(scope)
    getHotelRoute(scope, ctx, hooks)
    getSessionRoute(scope, ctx, hooks)
    setLocaleRoute(scope, ctx, hooks)
    setCurrencyRoute(scope, ctx, hooks)
    setConsentRoute(scope, ctx, hooks)
    clearSessionRoute(scope, ctx, hooks)
    listRecentlyViewedRoute(scope, ctx, hooks)
    recordPageViewRoute(scope, ctx, hooks)
    recordFunnelStepRoute(scope, ctx, hooks)
    if (isLocal(captcha)) issueLocalChallengeRoute(scope, captcha)
  })

  /** Rate limits, and a challenge for suspected bots. */
  void app.register(async function guarded(scope: App) {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, documentedHeaders: challengeHeaders, assessesVisitor: true }
      describeRoute(route, true)
    })
    scope.addHook('onRequest', hooks.session.hook)
    scope.addHook('onRequest', hooks.guarded)
    startSessionRoute(scope, ctx, hooks)
    searchHotelsRoute(scope, ctx, hooks)
    searchMapRoute(scope, ctx, hooks)
    suggestPlacesRoute(scope, ctx, hooks)
    readAvailabilityRoute(scope, ctx)
    getHotelPriceRoute(scope, ctx, hooks)
    getHotelOffersRoute(scope, ctx, hooks)
    getHotelCalendarRoute(scope, ctx, hooks)
    listWishesRoute(scope, ctx, hooks)
    addWishRoute(scope, ctx, hooks)
    removeWishRoute(scope, ctx, hooks)
    compareHotelsRoute(scope, ctx, hooks)
    mintHandoffRoute(scope, ctx, hooks)
  })
}
