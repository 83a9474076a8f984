import { isProblem } from '@melmastoon/domain'
import type { EventMessage, EventRegistry } from '@melmastoon/events'
import { type InboundMessage, PoisonMessage } from '../bus/index.ts'
import type { EventHandler } from './event-handler.ts'

/**
 * Validates before any effect: an invalid message will be invalid the next time too.
 * @throws PoisonMessage
 */
export function readEvent(
  registry: Pick<EventRegistry, 'validate'>,
  message: InboundMessage,
  handler: EventHandler,
): EventMessage {
  const event = validated(registry, parsed(message.body))
  if (event.envelope.subject !== message.subject) {
    throw new PoisonMessage('the envelope has another subject')
  }
  if (handler.scope === 'tenant' && event.envelope.tenantId === null) {
    throw new PoisonMessage('the envelope has no tenant')
  }
  return event
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new PoisonMessage('the body is not JSON')
  }
}

function validated(registry: Pick<EventRegistry, 'validate'>, value: unknown): EventMessage {
  try {
    return registry.validate(value)
  } catch (error) {
    if (!isProblem(error)) throw error
    throw new PoisonMessage(error.message, { cause: error })
  }
}
