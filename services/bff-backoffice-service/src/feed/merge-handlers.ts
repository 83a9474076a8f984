import type { EventHandler } from '@melmastoon/chassis/inbox'

/**
 * One handler per subject, as the consumer requires: several features may react to an event. Their
 * effects after the commit run in the order of the list; a failure repeats all of them.
 * @throws TypeError when two of them write to the database
 */
export function mergeHandlers(handlers: readonly EventHandler[]): EventHandler[] {
  const bySubject = new Map<string, EventHandler>()
  for (const handler of handlers) {
    for (const definition of handler.definitions) {
      const own = { ...handler, definitions: [definition] }
      const known = bySubject.get(definition.subject)
      bySubject.set(definition.subject, known === undefined ? own : merge(known, own))
    }
  }
  return [...bySubject.values()]
}

function merge(first: EventHandler, second: EventHandler): EventHandler {
  if (first.handle !== undefined && second.handle !== undefined) {
    const [definition] = first.definitions
    throw new TypeError(`two handlers write to the database for ${definition?.subject}`)
  }
  return {
    definitions: first.definitions,
    scope: second.handle === undefined ? first.scope : second.scope,
    handle: first.handle ?? second.handle,
    async afterCommit(event) {
      await first.afterCommit(event)
      await second.afterCommit(event)
    },
  }
}
