import type { BackgroundWork, RecentKeys } from '@melmastoon/chassis/concurrency'
import type { Suspicion } from '../bots/assess-visitor.ts'
import { botSuspected } from '../events/bot-events.ts'
import type { GuestActor } from '../sessions/guest-actor.ts'
import { type ReportDeps, report } from './report.ts'

const { debounceSeconds = 0 } = botSuspected

type SuspicionDeps = ReportDeps & {
  readonly background: Pick<BackgroundWork, 'run'>
  readonly recentKeys: Pick<RecentKeys, 'claimOnce'>
}

/** Publishes that a guest is suspected, once in five minutes over all processes. */
export function reportSuspicion(
  deps: SuspicionDeps,
  actor: GuestActor,
  suspicion: Suspicion,
): void {
  const { id } = actor.session
  deps.background.run(`suspect ${id}`, async () => {
    if (!(await deps.recentKeys.claimOnce(`suspect ${id}`, debounceSeconds))) return
    report(deps, botSuspected, {
      ...actor,
      payload: (evaluatedAt) => ({ guestSessionId: id, ...suspicion, evaluatedAt }),
    })
  })
}
