import type { Operator } from '../access/operator.ts'
import { mayReceive, viewerOf } from './channels.ts'
import type { EventLog } from './event-log.ts'
import { canResume, formatPosition, parsePosition } from './position.ts'
import { bodyOf } from './stream-event.ts'
import type { Polled, PollRequest } from './streams.ts'

/** For networks that do not let streams through: the same events, filtered in the same way. */
export async function pollEvents(
  log: EventLog,
  operator: Operator,
  { after, limit }: PollRequest,
): Promise<Polled> {
  const viewer = viewerOf(operator)
  const position = after === undefined ? null : parsePosition(after)
  const page = await log.read(operator.tenantId, position?.seq ?? 0, position === null ? 0 : limit)
  const { epoch, newest } = page
  if (position === null || !canResume(position, page)) {
    const gap = after === undefined ? null : { refetch: [...viewer.channels] }
    return { events: [], lastEventId: formatPosition({ epoch, seq: newest }), gap, hasMore: false }
  }
  const last = page.events.at(-1)?.position ?? position
  const visible = page.events.filter((event) => mayReceive(viewer, event))
  return {
    events: visible.map((event) => ({
      id: formatPosition(event.position),
      event: event.channel,
      data: bodyOf(event),
    })),
    lastEventId: formatPosition(last),
    gap: null,
    hasMore: last.seq < newest,
  }
}
