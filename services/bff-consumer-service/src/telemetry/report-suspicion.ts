import type { BackgroundWork, RecentKeys } from '@melmastoon/chassis/concurrency'
import type { Suspicion } from '../bots/assess-visitor.ts'
import { botSuspected } from '../events/bot-events.ts'
import { report, type Witnessed } from './report.ts'

const { debounceSeconds = 0 } = botSuspected

type SuspicionDeps = Parameters<typeof report>[0] & {
  readonly background: Pick<BackgroundWork, 'run'>
  readonly recentKeys: Pick<RecentKeys, 'claimOnce'>
}

/** Publishes that a guest is suspected, once in five minutes over all processes. */
export function reportSuspicion(deps: SuspicionDeps, actor: Witnessed, suspicion: Suspicion): void {
  const { id } = actor.session
  deps.background.run(`suspect ${id}`, async () => {
    if (!(await deps.recentKeys.claimOnce(`suspect ${id}`, debounceSeconds))) return
    report(deps, botSuspected, {
      ...actor,
      payload: (evaluatedAt) => ({ guestSessionId: id, ...suspicion, evaluatedAt }),
    })
  })
}
