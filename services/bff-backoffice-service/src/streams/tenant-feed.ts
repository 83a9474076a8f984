import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Subscriber, Subscription } from '@melmastoon/chassis/redis'
import type { TenantId } from '@melmastoon/domain'
import type { Channel } from './channels.ts'
import type { DeviceStream } from './device-stream.ts'
import type { EventLog, LogPage } from './event-log.ts'
import { canResume, type Position, parsePosition } from './position.ts'
import type { LoggedEvent } from './stream-event.ts'

export interface TenantFeedDeps {
  readonly log: EventLog
  readonly subscriber: Subscriber
  readonly onPushed: (channel: Channel, count: number) => void
  /** The stream of this device was claimed or renewed somewhere. */
  readonly onDevice: (tenantId: TenantId, deviceId: string) => void
  readonly onError: (error: unknown) => void
}

const PAGE_EVENTS = 200
/** Other requests are served in between. */
const WRITES_PER_TURN = 250

/**
 * The events of one tenant for all of its streams in this process: one subscription, one position.
 * A message only says that there is something to read, so that a lost one costs some seconds.
 */
export class TenantFeed {
  readonly tenantId: TenantId
  readonly streams = new Set<DeviceStream>()
  /** Streams that are open or being opened. */
  users = 0
  readonly #deps: TenantFeedDeps
  #position: Position | null = null
  #ready: Promise<void> | null = null
  #pulling: Promise<void> | null = null
  #isPullWanted = false
  #isClosed = false
  #subscription: Subscription | null = null

  constructor(tenantId: TenantId, deps: TenantFeedDeps) {
    this.tenantId = tenantId
    this.#deps = deps
    void this.#subscribe()
  }

  /** Up to which event its streams have everything. Rejects while Redis is away. */
  async position(): Promise<Position> {
    while (this.#position === null) {
      this.#ready ??= this.#start().finally(() => {
        this.#ready = null
      })
      await this.#ready
    }
    return this.#position
  }

  /** False: there are events between the position of the stream and that of the feed. */
  attach(stream: DeviceStream): boolean {
    const { epoch, seq } = stream.position
    if (this.#position?.epoch !== epoch || this.#position.seq > seq) return false
    this.streams.add(stream)
    return true
  }

  /** Reads what is new. Never rejects. Calls during a read cause one more. */
  pull(): Promise<void> {
    this.#isPullWanted = true
    this.#pulling ??= this.#pullAll().finally(() => {
      this.#pulling = null
    })
    return this.#pulling
  }

  close(): void {
    this.#isClosed = true
    this.#subscription?.unsubscribe()
  }

  async #start(): Promise<void> {
    const { epoch, newest } = await this.#deps.log.read(this.tenantId, 0, 0)
    this.#position ??= { epoch, seq: newest }
  }

  async #subscribe(): Promise<void> {
    const { subscriber, log, onError } = this.#deps
    const listener = {
      onMessage: (message: string) => this.#onMessage(message),
      onReconnect: () => void this.pull(),
    }
    const subscribed = await subscriber
      .subscribe(log.channel(this.tenantId), listener)
      .catch(onError)
    this.#subscription = subscribed ?? null
    if (this.#isClosed) this.#subscription?.unsubscribe()
    // Events of the time before the confirmation.
    else void this.pull()
  }

  #onMessage(message: string): void {
    const [kind, value = ''] = message.split(' ')
    if (kind === 'device') this.#deps.onDevice(this.tenantId, value)
    else if (!this.#knows(parsePosition(value))) void this.pull()
  }

  #knows(position: Position | null): boolean {
    const known = this.#position
    return known?.epoch === position?.epoch && (known?.seq ?? 0) >= (position?.seq ?? 0)
  }

  async #pullAll(): Promise<void> {
    try {
      while (this.#isPullWanted && !this.#isClosed) {
        this.#isPullWanted = false
        if (await this.#pullPage(await this.position())) this.#isPullWanted = true
      }
    } catch (error) {
      this.#deps.onError(error)
    }
  }

  /** True: there is more. */
  async #pullPage(position: Position): Promise<boolean> {
    const page = await this.#deps.log.read(this.tenantId, position.seq, PAGE_EVENTS)
    if (!canResume(position, page)) {
      await this.#announceGap(page)
      return false
    }
    const { events } = page
    // First: a stream that is attached during the delivery has these events, or reads them itself.
    this.#position = events.at(-1)?.position ?? position
    await this.#deliver(events)
    return events.length === PAGE_EVENTS
  }

  async #announceGap({ epoch, newest }: LogPage): Promise<void> {
    const position = { epoch, seq: newest }
    this.#position = position
    await this.#forEach((stream) => {
      const isBehind = stream.position.epoch !== epoch || stream.position.seq < newest
      if (!isBehind) return false
      stream.gap(position)
      // One of the lost events may have been about the operator: a new stream has the scope of now.
      stream.bye('scope_changed')
      return true
    })
  }

  async #deliver(events: readonly LoggedEvent[]): Promise<void> {
    if (events.length === 0) return
    const counts = new Map<Channel, number>()
    await this.#forEach((stream) => {
      const sent = stream.deliver(events)
      for (const { channel } of sent) counts.set(channel, (counts.get(channel) ?? 0) + 1)
      return sent.length > 0
    })
    for (const [channel, count] of counts) this.#deps.onPushed(channel, count)
  }

  async #forEach(write: (stream: DeviceStream) => boolean): Promise<void> {
    let writes = 0
    for (const stream of this.streams) {
      if (write(stream)) writes += 1
      if (writes < WRITES_PER_TURN) continue
      writes = 0
      await yieldToOthers()
    }
  }
}
