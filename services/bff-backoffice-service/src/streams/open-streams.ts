import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Clock } from '@melmastoon/chassis/clock'
import type { Id } from '@melmastoon/domain'
import type { Access } from '../access/access.ts'
import type { DeviceStream } from './device-stream.ts'
import type { StreamLimits } from './stream-limits.ts'
import type { DeviceRef, StreamOwners } from './stream-owners.ts'

export interface OpenStreamsDeps {
  readonly access: Pick<Access, 'findEnded'>
  readonly owners: StreamOwners
  readonly clock: Clock
  readonly limits: StreamLimits
  readonly onError: (error: unknown) => void
}

/** The streams get their heartbeats in turns: a fifteenth of them at a time. */
const BUCKETS = 15
const WRITES_PER_TURN = 250

/** All streams of this process, by device and by session: each of them has one at most. */
export class OpenStreams {
  readonly #deps: OpenStreamsDeps
  readonly #buckets = Array.from({ length: BUCKETS }, () => new Set<DeviceStream>())
  readonly #byDevice = new Map<string, DeviceStream>()
  readonly #bySession = new Map<string, DeviceStream>()
  #next = 0
  #tick = 0

  constructor(deps: OpenStreamsDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#buckets.reduce((sum, bucket) => sum + bucket.size, 0)
  }

  add(stream: DeviceStream): void {
    this.#byDevice.get(deviceKey(stream))?.bye('replaced')
    this.#byDevice.set(deviceKey(stream), stream)
    this.#bySession.set(stream.sessionId, stream)
    this.#buckets[this.#next++ % BUCKETS]?.add(stream)
  }

  remove(stream: DeviceStream): void {
    for (const bucket of this.#buckets) bucket.delete(stream)
    const key = deviceKey(stream)
    if (this.#byDevice.get(key) === stream) this.#byDevice.delete(key)
    if (this.#bySession.get(stream.sessionId) === stream) this.#bySession.delete(stream.sessionId)
  }

  ofDevice(device: DeviceRef): DeviceStream | undefined {
    return this.#byDevice.get(deviceKey(device))
  }

  endSession(sessionId: Id<'bos'>): void {
    this.#bySession.get(sessionId)?.bye('session_ended')
  }

  /** Called fifteen times per heartbeat interval. */
  async tick(): Promise<void> {
    const { clock } = this.#deps
    const times = { nowMs: clock.nowMs(), monotonicMs: clock.monotonicMs() }
    for (const stream of this.all()) stream.check(times)
    const bucket = this.#buckets[this.#tick++ % BUCKETS] ?? []
    await inTurns(bucket, (stream) => stream.heartbeat())
  }

  /** A message about an ended session or a replaced stream may have been lost. */
  async sweep(): Promise<void> {
    const streams = [...this.all()]
    const [ended, owners] = await Promise.all([
      this.#deps.access.findEnded(streams.map(({ sessionId }) => sessionId)),
      this.#deps.owners.find(streams),
    ])
    for (const sessionId of ended) this.endSession(sessionId)
    streams.forEach((stream, at) => {
      stream.applyOwner(owners[at] ?? null)
    })
  }

  async checkDevice(device: DeviceRef): Promise<void> {
    const stream = this.ofDevice(device)
    if (stream === undefined) return
    const [stored = null] = await this.#deps.owners.find([device])
    stream.applyOwner(stored)
  }

  *all(): Generator<DeviceStream> {
    for (const bucket of this.#buckets) yield* bucket
  }

  async endAll(): Promise<void> {
    await inTurns(this.all(), (stream) => stream.bye('shutdown'))
  }
}

async function inTurns(
  streams: Iterable<DeviceStream>,
  write: (stream: DeviceStream) => void,
): Promise<void> {
  let writes = 0
  for (const stream of streams) {
    write(stream)
    writes += 1
    if (writes % WRITES_PER_TURN === 0) await yieldToOthers()
  }
}

function deviceKey({ tenantId, deviceId }: DeviceRef): string {
  return `${tenantId}/${deviceId}`
}
