import type { Channel } from './channels.ts'
import type { DeviceStream } from './device-stream.ts'
import type { EventLog } from './event-log.ts'
import { canResume, parsePosition } from './position.ts'
import type { TenantFeed } from './tenant-feed.ts'

const PAGE_EVENTS = 200
/** Ten full logs: the tenant produces events faster than the device reads them. */
const PAGES_MAX = 100

export interface ResumeDeps {
  readonly log: EventLog
  readonly feed: TenantFeed
  readonly onPushed: (channel: Channel, count: number) => void
  /** The first event was written. */
  readonly onGreeted: () => void
}

/**
 * Brings a new stream to the position of its feed: at once without an earlier event, otherwise by
 * reading what the device has missed. Filtered by what the operator may see now, not by what they
 * could see then. Each page waits until the device has read the one before.
 */
export async function resumeStream(
  deps: ResumeDeps,
  stream: DeviceStream,
  lastEventId: string | undefined,
): Promise<void> {
  const { log, feed } = deps
  if (lastEventId === undefined) stream.hello(await feed.position())
  else await greet(log, stream, lastEventId)
  deps.onGreeted()
  for (let page = 0; page < PAGES_MAX && stream.isOpen; page += 1) {
    if (feed.attach(stream)) return
    // Another epoch: the feed has not noticed it yet, or just has.
    if ((await feed.position()).epoch !== stream.position.epoch) await feed.pull()
    await replayPage(deps, stream)
  }
  stream.drop()
}

async function greet(log: EventLog, stream: DeviceStream, lastEventId: string): Promise<void> {
  const position = parsePosition(lastEventId)
  const bounds = await log.read(stream.tenantId, 0, 0)
  if (position !== null && canResume(position, bounds)) stream.hello(position)
  else stream.gap({ epoch: bounds.epoch, seq: bounds.newest })
}

async function replayPage({ log, onPushed }: ResumeDeps, stream: DeviceStream): Promise<void> {
  const page = await log.read(stream.tenantId, stream.position.seq, PAGE_EVENTS)
  if (!canResume(stream.position, page)) stream.gap({ epoch: page.epoch, seq: page.newest })
  else for (const { channel } of stream.deliver(page.events, true)) onPushed(channel, 1)
  await stream.writable()
}
