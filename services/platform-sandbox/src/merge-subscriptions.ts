import type { EventHandler } from '@melmastoon/chassis/inbox'
import type { ServedModule } from './module.ts'

type Subscriptions = Readonly<Record<string, EventHandler>>

/**
 * Of all modules together. An event is marked as seen once for the whole service, so two handlers
 * of one subject could not fail apart: whoever wants a second one finds out at the start.
 */
export function mergeSubscriptions(
  modules: readonly Pick<ServedModule, 'subscriptions'>[],
): Subscriptions {
  const merged: Record<string, EventHandler> = {}
  for (const { subscriptions = {} } of modules) {
    for (const [subject, handler] of Object.entries(subscriptions)) {
      if (Object.hasOwn(merged, subject)) {
        throw new TypeError(`two modules listen to ${subject}`)
      }
      merged[subject] = handler
    }
  }
  return merged
}
