import type { StayDeps } from '../desk/change-stay.ts'
import type { TaskDeps } from '../housekeeping/move-task.ts'
import type { WorkOrderDeps } from '../maintenance/change-work-order.ts'
import { type ChargeIntentDeps, chargeIntent } from './charge-intent.ts'
import type { IntentKind } from './define-intent.ts'
import { type InboxIntentDeps, inboxIntents } from './inbox-intents.ts'
import { stayIntents } from './stay-intents.ts'
import { taskIntents } from './task-intents.ts'
import { type ReportIssueDeps, workOrderIntents } from './work-order-intents.ts'

export interface IntentTableDeps extends Omit<InboxIntentDeps, 'upstreams'> {
  readonly upstreams: InboxIntentDeps['upstreams'] &
    TaskDeps['upstreams'] &
    StayDeps['upstreams'] &
    ChargeIntentDeps['upstreams'] &
    ReportIssueDeps['upstreams'] &
    WorkOrderDeps['upstreams']
}

/** All intents: never keys, step-up, refunds or roles. A new one is one more entry. */
export const INTENTS: readonly IntentKind<IntentTableDeps>[] = [
  ...taskIntents,
  ...stayIntents,
  chargeIntent,
  ...workOrderIntents,
  ...inboxIntents,
]

const byName = new Map(INTENTS.map((kind) => [kind.name, kind]))

export function findIntentKind(name: string): IntentKind<IntentTableDeps> | undefined {
  return byName.get(name)
}
