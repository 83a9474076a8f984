import type { App, LimitHook, SessionHook } from '@melmastoon/chassis/http'
import type { ExampleContext } from '../../context.ts'
import type { GuestSession } from '../../sessions/guest-session.ts'
import { getPageRoute } from './get-page.ts'
import { listNotesRoute } from './list-notes.ts'
import { placeNoteRoute } from './place-note.ts'
import { reserveNoteRoute } from './reserve-note.ts'
import { startSessionRoute } from './start-session.ts'

interface Hooks {
  session: SessionHook<GuestSession, 'gms'>
  reads: LimitHook
  writes: LimitHook
}

/** Every route there is, in scopes named for who may call them. */
export function registerRoutes(app: App, ctx: ExampleContext, hooks: Hooks): void {
  void app.register(async function anonymous(scope: App) {
    scope.addHook('onRequest', hooks.session.hook)
    scope.addHook('onRequest', hooks.reads)
    getPageRoute(scope, ctx)
    listNotesRoute(scope, ctx)
    startSessionRoute(scope, ctx)
  })
  void app.register(async function guests(scope: App) {
    scope.addHook('onRequest', hooks.session.hook)
    scope.addHook('onRequest', hooks.writes)
    placeNoteRoute(scope, ctx, hooks.session)
    reserveNoteRoute(scope, ctx, hooks.session)
  })
}
