import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '@melmastoon/chassis/clock'
import { createSubscriber, type KeySpace, type Redis } from '@melmastoon/chassis/redis'
import type { ErrorReporter, Metrics } from '@melmastoon/chassis/telemetry'
import { problem, type TenantId } from '@melmastoon/domain'
import type { Access } from '../access/access.ts'
import type { Operator } from '../access/operator.ts'
import { DeviceStream } from './device-stream.ts'
import { createEventLog, type EventLog } from './event-log.ts'
import { OpenStreams } from './open-streams.ts'
import { pollEvents } from './poll-events.ts'
import { resumeStream } from './resume-stream.ts'
import { STREAM_LIMITS, type StreamControls, type StreamLimits } from './stream-limits.ts'
import { type StreamMetrics, streamMetrics } from './stream-metrics.ts'
import { createStreamOwners, type StreamOwners } from './stream-owners.ts'
import type { OpenRequest, Streams } from './streams.ts'
import { TenantFeed } from './tenant-feed.ts'

export interface StreamsDeps {
  readonly access: Pick<Access, 'onSessionEnded' | 'findEnded' | 'isAllowedNow'>
  /** The instance that evicts nothing. */
  readonly sessionRedis: Redis
  readonly keys: KeySpace
  readonly clock: Clock
  readonly metrics: Metrics
  readonly errors: Pick<ErrorReporter, 'for'>
}

export function createStreams(deps: StreamsDeps, controls: StreamControls = {}): Streams {
  const { sessionRedis: redis, keys } = deps
  const log = createEventLog({ redis, keys, announces: controls.announces ?? true })
  const owners = createStreamOwners({ redis, keys, channel: (id) => log.channel(id) })
  const streams = new ProcessStreams(deps, controls, { log, owners })
  return {
    publish: async (tenantId, events) => await log.append(tenantId, [events].flat()),
    open: (operator, request) => streams.open(operator, request),
    poll: (operator, request) => pollEvents(log, operator, request),
    renew: ({ tokenExpiresAt, ...operator }) => {
      const { operatorId, properties, roles, isLead } = operator
      const expiresAtMs = tokenExpiresAt.getTime()
      return owners.renew(operator, { operatorId, properties, roles, isLead, expiresAtMs })
    },
    get count() {
      return streams.count
    },
    stop: () => streams.stop(),
    [Symbol.asyncDispose]: () => streams.stop(),
  }
}

class ProcessStreams {
  readonly #deps: StreamsDeps
  readonly #controls: StreamControls
  readonly #limits: StreamLimits
  readonly #log: EventLog
  readonly #owners: StreamOwners
  readonly #open: OpenStreams
  readonly #feeds = new Map<TenantId, TenantFeed>()
  readonly #metrics: StreamMetrics
  readonly #onError: (error: unknown) => void
  #stopTimers: (() => void) | null = null
  #isStopping = false

  constructor(
    deps: StreamsDeps,
    controls: StreamControls,
    { log, owners }: { readonly log: EventLog; readonly owners: StreamOwners },
  ) {
    this.#deps = deps
    this.#controls = controls
    this.#limits = { ...STREAM_LIMITS, ...controls.limits }
    this.#log = log
    this.#owners = owners
    this.#onError = deps.errors.for('streams')
    const { access, clock, metrics } = deps
    const limits = this.#limits
    this.#open = new OpenStreams({ access, owners, clock, limits, onError: this.#onError })
    this.#metrics = streamMetrics(metrics, () => this.#open.size)
    access.onSessionEnded((sessionId) => this.#open.endSession(sessionId))
  }

  get count(): number {
    return this.#open.size
  }

  async open(operator: Operator, { lastEventId, start }: OpenRequest): Promise<void> {
    this.#requireCapacity()
    const { tenantId, deviceId, sessionId } = operator
    const startedMs = performance.now()
    const onGreeted = () => this.#metrics.onFirstEvent(performance.now() - startedMs)
    const feed = this.#feedOf(tenantId)
    feed.users += 1
    try {
      await feed.position()
      const ref = { tenantId, deviceId, sessionId, streamId: randomUUID() }
      const owner = await this.#owners.claim(ref)
      this.#requireCapacity()
      const output = start()
      // It will not emit `close` again.
      if (output.destroyed) return await this.#owners.release(ref)
      const stream = this.#create(operator, { ...ref, owner, output, feed })
      const { onPushed } = this.#metrics
      const resume = { log: this.#log, feed, onPushed, onGreeted }
      await resumeStream(resume, stream, lastEventId).catch((error: unknown) => {
        this.#onError(error)
        stream.drop()
      })
      // The event about a changed role may have been published between the authentication and the
      // first event. Afterwards the stream receives it, or ends because of a gap.
      await this.#open.checkScope(stream).catch(this.#onError)
    } finally {
      this.#release(feed)
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#stopTimers?.()
    await this.#open.endAll()
    const endsAtMs = performance.now() + this.#limits.stopMs
    while (this.#open.size > 0 && performance.now() < endsAtMs) await delay(POLL_MS)
    for (const stream of this.#open.all()) stream.drop()
    for (const feed of this.#feeds.values()) feed.close()
    this.#feeds.clear()
  }

  #requireCapacity(): void {
    if (!this.#isStopping && this.#open.size < this.#limits.streamsMax) return
    throw problem('MELMASTOON.GENERAL.OVERLOADED')
  }

  #create(operator: Operator, opened: OpenedStream): DeviceStream {
    const { feed, ...rest } = opened
    feed.users += 1
    const stream = new DeviceStream({
      ...rest,
      limits: this.#limits,
      scope: operator,
      expiresAtMs: operator.tokenExpiresAt.getTime(),
      openedMs: this.#deps.clock.monotonicMs(),
      onClose: (closed) => {
        feed.streams.delete(closed)
        this.#open.remove(closed)
        this.#release(feed)
        if (!this.#isStopping) this.#owners.release(closed).catch(this.#onError)
      },
    })
    this.#open.add(stream)
    this.#stopTimers ??= this.#startTimers()
    return stream
  }

  #feedOf(tenantId: TenantId): TenantFeed {
    const known = this.#feeds.get(tenantId)
    if (known !== undefined) return known
    const feed = new TenantFeed(tenantId, {
      log: this.#log,
      subscriber: createSubscriber(this.#deps.sessionRedis),
      onPushed: this.#metrics.onPushed,
      onDevice: (tenant, deviceId) => {
        const device = { tenantId: tenant, deviceId: deviceId as Operator['deviceId'] }
        this.#open.checkDevice(device).catch(this.#onError)
      },
      onError: this.#onError,
    })
    this.#feeds.set(tenantId, feed)
    return feed
  }

  #release(feed: TenantFeed): void {
    feed.users -= 1
    if (feed.users > 0 || this.#feeds.get(feed.tenantId) !== feed) return
    this.#feeds.delete(feed.tenantId)
    feed.close()
  }

  /** With the first stream: a process without streams does nothing. */
  #startTimers(): () => void {
    const { heartbeatMs, repairMs, sweepMs } = this.#limits
    const every = (periodMs: number, work: () => Promise<unknown> | undefined) => {
      let isRunning = false
      const run = async () => {
        if (isRunning) return
        isRunning = true
        await Promise.resolve(work()).catch(this.#onError)
        isRunning = false
      }
      return setInterval(() => void run(), periodMs).unref()
    }
    const timers = [every(heartbeatMs / TICKS, () => this.#open.tick())]
    if (this.#controls.repairs !== false) timers.push(every(repairMs, () => this.#pullAll()))
    if (this.#controls.sweeps !== false) {
      timers.push(every(sweepMs, () => this.#open.sweep()))
      // Apart from the first: it may wait for an upstream, an ended session does not.
      timers.push(every(sweepMs, () => this.#open.sweepScopes()))
    }
    return () => {
      for (const timer of timers) clearInterval(timer)
    }
  }

  async #pullAll(): Promise<void> {
    await Promise.all([...this.#feeds.values()].map((feed) => feed.pull()))
  }
}

interface OpenedStream {
  readonly tenantId: TenantId
  readonly deviceId: Operator['deviceId']
  readonly sessionId: Operator['sessionId']
  readonly streamId: string
  readonly owner: string
  readonly output: ReturnType<OpenRequest['start']>
  readonly feed: TenantFeed
}

const TICKS = 15
const POLL_MS = 20
