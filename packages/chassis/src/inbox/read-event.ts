import { isProblem } from '@melmastoon/domain'
import type { EventMessage } from '@melmastoon/events'
import { type InboundMessage, PoisonMessage } from '../bus/index.ts'
import type { ConsumerOptions, EventHandler } from './consumer-options.ts'

export interface ReceivedEvent {
  event: EventMessage
  handler: EventHandler
}

type Options = Pick<ConsumerOptions, 'registry' | 'handlers' | 'aliases'>

/**
 * The contract decides before any effect. What breaks it will break it the next time too.
 * @throws PoisonMessage
 */
export function readEvent(options: Options, message: InboundMessage): ReceivedEvent {
  const event = validated(options, parsed(message.body))
  if (event.envelope.subject !== message.subject) {
    throw new PoisonMessage('the envelope belongs to another subject')
  }
  const handler = handlerOf(options, message.subject)
  if (handler === undefined) throw new PoisonMessage('no handler for the subject')
  if (handler.scope === 'tenant' && event.envelope.tenantId === null) {
    throw new PoisonMessage('an event of a tenant names no tenant')
  }
  return { event, handler }
}

function handlerOf({ handlers, aliases = {} }: Options, subject: string): EventHandler | undefined {
  const name = Object.hasOwn(aliases, subject) ? (aliases[subject] ?? subject) : subject
  return Object.hasOwn(handlers, name) ? handlers[name] : undefined
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new PoisonMessage('the body is not JSON')
  }
}

function validated({ registry }: Options, value: unknown): EventMessage {
  try {
    return registry.validate(value)
  } catch (error) {
    if (!isProblem(error)) throw error
    throw new PoisonMessage(error.message, { cause: error })
  }
}
