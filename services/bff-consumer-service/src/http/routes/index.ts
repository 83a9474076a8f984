import type { App, LimitHook, SessionHook } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../../context.ts'
import type { GuestSession } from '../../sessions/guest-session.ts'
import { clearSessionRoute } from './clear-session.ts'
import { getSessionRoute } from './get-session.ts'
import { addWishRoute } from './add-wish.ts'
import { listRecentlyViewedRoute } from './list-recently-viewed.ts'
import { listWishesRoute } from './list-wishes.ts'
import { mintHandoffRoute } from './mint-handoff.ts'
import { recordFunnelStepRoute } from './record-funnel-step.ts'
import { recordPageViewRoute } from './record-page-view.ts'
import { removeWishRoute } from './remove-wish.ts'
import { searchHotelsRoute } from './search-hotels.ts'
import { setConsentRoute } from './set-consent.ts'
import { setCurrencyRoute } from './set-currency.ts'
import { setLocaleRoute } from './set-locale.ts'
import { startSessionRoute } from './start-session.ts'

export interface Hooks {
  readonly session: SessionHook<GuestSession>
  readonly reads: LimitHook
}

/** Every route there is, in scopes named for who may call them. */
export function registerRoutes(app: App, ctx: ConsumerContext, hooks: Hooks): void {
  void app.register(async function anonymous(scope: App) {
    scope.addHook('onRequest', hooks.session.hook)
    scope.addHook('onRequest', hooks.reads)
    startSessionRoute(scope, ctx, hooks)
    getSessionRoute(scope, ctx, hooks)
    setLocaleRoute(scope, ctx, hooks)
    setCurrencyRoute(scope, ctx, hooks)
    setConsentRoute(scope, ctx, hooks)
    clearSessionRoute(scope, ctx, hooks)
    mintHandoffRoute(scope, ctx, hooks)
    searchHotelsRoute(scope, ctx, hooks)
    recordPageViewRoute(scope, ctx, hooks)
    recordFunnelStepRoute(scope, ctx, hooks)
    listRecentlyViewedRoute(scope, ctx, hooks)
    listWishesRoute(scope, ctx, hooks)
    addWishRoute(scope, ctx, hooks)
    removeWishRoute(scope, ctx, hooks)
  })
}
