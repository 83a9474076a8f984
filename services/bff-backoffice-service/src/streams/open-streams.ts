import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Clock } from '@melmastoon/chassis/clock'
import type { Id } from '@melmastoon/domain'
import type { Access } from '../access/access.ts'
import type { DeviceStream } from './device-stream.ts'
import type { StreamLimits } from './stream-limits.ts'
import type { DeviceRef, StreamOwners } from './stream-owners.ts'

export interface OpenStreamsDeps {
  readonly access: Pick<Access, 'findEnded' | 'isAllowedNow'>
  readonly owners: StreamOwners
  readonly clock: Clock
  readonly limits: StreamLimits
  readonly onError: (error: unknown) => void
}

/** The streams get their heartbeats in turns: a fifteenth of them at a time. */
const BUCKETS = 15
const WRITES_PER_TURN = 250
/** How many operators that are not cached are looked up at the same time. */
const SCOPE_CHECKS = 16

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
    await this.checkScope(stream)
  }

  /**
   * The event about a changed role may have been lost, or be older than the scope of a renewal: a
   * request that was authenticated before the change may renew the stream after it. Rejects with
   * one of the errors; all streams were checked.
   */
  async sweepScopes(): Promise<void> {
    const streams = this.all()
    const errors: unknown[] = []
    const checkInTurn = async () => {
      let checks = 0
      for (const stream of streams) {
        await this.checkScope(stream).catch((error: unknown) => errors.push(error))
        checks += 1
        if (checks % SCOPE_CHECKS === 0) await yieldToOthers()
      }
    }
    await Promise.all(Array.from({ length: SCOPE_CHECKS }, checkInTurn))
    if (errors.length > 0) throw errors[0]
  }

  /**
   * Rejects when it cannot be decided. Then nothing changes: the stream keeps its scope until its
   * token expires, and a renewal waits for the next sweep.
   */
  async checkScope(stream: DeviceStream): Promise<void> {
    const { scope, tenantId } = stream
    if (await this.#deps.access.isAllowedNow(tenantId, scope)) stream.confirm(scope)
    else stream.bye('scope_changed')
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
