import type { EventHandler } from '@melmastoon/chassis/inbox'

type Definition = EventHandler['definitions'][number]

/**
 * Several modules may subscribe to one event, but a consumer has one handler per subject. The
 * merged handler runs those of the modules in their order, in one transaction: all have an effect
 * or none.
 */
export function mergeHandlers(handlers: readonly EventHandler[]): EventHandler[] {
  const bySubject = new Map<string, { definition: Definition; handlers: EventHandler[] }>()
  for (const handler of handlers) {
    for (const definition of handler.definitions) {
      const known = bySubject.get(definition.subject)
      if (known === undefined)
        bySubject.set(definition.subject, { definition, handlers: [handler] })
      else known.handlers.push(handler)
    }
  }
  return [...bySubject.values()].map((entry) => merge(entry.definition, entry.handlers))
}

function merge(definition: Definition, handlers: readonly EventHandler[]): EventHandler {
  const steps = handlers.flatMap(({ handle }) => handle ?? [])
  return {
    definitions: [definition],
    // Tables without tenants can be used in the transaction of a tenant, but not vice versa.
    scope: handlers.some(({ scope }) => scope === 'tenant') ? 'tenant' : 'service',
    handle:
      steps.length === 0
        ? undefined
        : async (tx, event) => {
            for (const step of steps) await step(tx, event)
          },
    async afterCommit(event) {
      for (const handler of handlers) await handler.afterCommit(event)
    },
  }
}
