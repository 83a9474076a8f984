import type { OperatorId, PropertyId } from '@melmastoon/domain'
import type { BoardClass } from '../access/operator.ts'
import type { Channel } from './channels.ts'
import { formatPosition, type Position } from './position.ts'

/** A change that devices should know of. */
export interface StreamEvent {
  readonly channel: Channel
  /** Null: not about one property. */
  readonly propertyId: PropertyId | null
  /** Who receives it, within those who may use the channel; absent: all of them. */
  readonly classes?: readonly BoardClass[] | undefined
  /** Only for this operator. */
  readonly operatorId?: OperatorId | undefined
  /** What happened, for example `task.started`. */
  readonly type: string
  /** Ids, states and versions only: a device reads everything else itself. */
  readonly data: Readonly<Record<string, unknown>>
}

/** An event with its place in the log of its tenant. */
export interface LoggedEvent extends StreamEvent {
  readonly position: Position
}

/** The same for streams and polls. */
export function bodyOf({ type, propertyId, data }: StreamEvent): Readonly<Record<string, unknown>> {
  return { type, ...(propertyId !== null && { propertyId }), ...data }
}

const texts = new WeakMap<LoggedEvent, string>()

/** As it is sent (WHATWG HTML §9.2.6); made once for all streams of this process. */
export function eventText(event: LoggedEvent): string {
  const known = texts.get(event)
  if (known !== undefined) return known
  const id = formatPosition(event.position)
  const text = frame({ event: event.channel, id, data: bodyOf(event) })
  texts.set(event, text)
  return text
}

export interface Frame {
  readonly event: string
  readonly id?: string
  /** When to connect again, in milliseconds. */
  readonly retry?: number
  readonly data: Readonly<Record<string, unknown>>
}

/** JSON has no line breaks, so the data is one line. */
export function frame({ event, id, retry, data }: Frame): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`
  const retryLine = retry === undefined ? '' : `retry: ${retry}\n`
  return `event: ${event}\n${idLine}${retryLine}data: ${JSON.stringify(data)}\n\n`
}

/** A comment: it keeps proxies from closing the connection, and shows clients that it works. */
export const HEARTBEAT = ':\n\n'
