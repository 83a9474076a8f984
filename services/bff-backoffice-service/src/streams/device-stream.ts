import type { DeviceId, Id, TenantId } from '@melmastoon/domain'
import type { GrantedScope } from '../access/operator.ts'
import { type Channel, mayReceive, type Viewer, viewerOf } from './channels.ts'
import { formatPosition, type Position } from './position.ts'
import { eventText, frame, HEARTBEAT, type LoggedEvent } from './stream-event.ts'
import { retryDelayMs, type StreamLimits } from './stream-limits.ts'
import { type Ownership, parseOwnership, type Renewal, type StreamRef } from './stream-owners.ts'

/** The response of a stream. */
export interface StreamOutput {
  /** False: the client reads more slowly than this process writes. */
  write(text: string): boolean
  end(text: string): unknown
  destroy(): unknown
  readonly writableLength: number
  /** True: the client has disconnected, and `close` was emitted. */
  readonly destroyed: boolean
  on(event: 'drain' | 'close', listener: () => void): unknown
}

/** Why a stream ended, as the device is informed. */
export type ByeReason =
  | 'replaced'
  | 'session_ended'
  | 'scope_changed'
  | 'token_expired'
  | 'lifetime'
  | 'shutdown'

/** After these the device does not open the stream again by itself. */
const FINAL: ReadonlySet<ByeReason> = new Set(['replaced', 'session_ended'])

/** To the operator whose roles or properties changed; their streams begin again. */
export const OPERATOR_CHANGED = 'operator.changed'

export interface StreamTimes {
  /** Of the token. */
  readonly nowMs: number
  readonly monotonicMs: number
}

export interface DeviceStreamOptions extends StreamRef {
  readonly output: StreamOutput
  readonly limits: StreamLimits
  /** Of the operator who opened it. */
  readonly scope: GrantedScope
  readonly expiresAtMs: number
  readonly openedMs: number
  /** As it is stored in Redis. */
  readonly owner: string
  readonly onClose: (stream: DeviceStream) => void
}

/** The stream of one device. There are thousands, so that it has neither timers nor buffers. */
export class DeviceStream implements StreamRef {
  readonly tenantId: TenantId
  readonly deviceId: DeviceId
  readonly sessionId: Id<'bos'>
  readonly streamId: string
  /** The last event that was written or is not for this device. */
  position: Position = { epoch: '', seq: 0 }
  isOpen = true
  readonly #output: StreamOutput
  readonly #limits: StreamLimits
  readonly #openedMs: number
  #scope: GrantedScope
  #viewer: Viewer
  /** Of a new token; it counts when its scope was found to be allowed. */
  #renewal: Renewal | null = null
  #expiresAtMs: number
  #owner: string
  #isRenewalDue = false
  /** When a check first found that the client does not take what was written; 0: it does. */
  #blockedMs = 0
  #isBlocked = false
  #onWritable: (() => void) | null = null

  constructor(options: DeviceStreamOptions) {
    this.tenantId = options.tenantId
    this.deviceId = options.deviceId
    this.sessionId = options.sessionId
    this.streamId = options.streamId
    this.#output = options.output
    this.#limits = options.limits
    this.#openedMs = options.openedMs
    this.#scope = options.scope
    this.#viewer = viewerOf(options.scope)
    this.#expiresAtMs = options.expiresAtMs
    this.#owner = options.owner
    const { onClose } = options
    this.#output.on('drain', () => this.#continue())
    this.#output.on('close', () => {
      this.isOpen = false
      this.#continue()
      onClose(this)
    })
  }

  get channels(): ReadonlySet<Channel> {
    return this.#viewer.channels
  }

  /** The first event: it has an id at once, so that a device that loses it can resume. */
  hello(position: Position): void {
    this.position = position
    const { heartbeatMs } = this.#limits
    const data = { streamId: this.streamId, heartbeatMs, channels: [...this.channels] }
    const id = formatPosition(position)
    this.#write(frame({ event: 'hello', id, retry: retryDelayMs(), data }))
  }

  /**
   * Events are missing. The new position follows in an event of its own: a device that receives
   * only the first one is informed of the gap again.
   */
  gap(position: Position): void {
    this.#write(frame({ event: 'gap', data: { refetch: [...this.channels] } }))
    this.hello(position)
  }

  /** Those that the operator may see now and that were not written yet. Returns them. */
  deliver(events: readonly LoggedEvent[], isReplay = false): readonly LoggedEvent[] {
    const last = events.at(-1)
    if (last === undefined || !this.isOpen) return []
    const visible = events.filter(
      (event) => event.position.seq > this.position.seq && mayReceive(this.#viewer, event),
    )
    this.position = last.position.seq > this.position.seq ? last.position : this.position
    if (visible.length > 0) this.#write(visible.map(eventText).join(''))
    if (!isReplay && visible.some(({ type }) => type === OPERATOR_CHANGED)) {
      this.bye('scope_changed')
    }
    return visible
  }

  heartbeat(): void {
    // Unsent bytes show that the connection is in use; more would only be added to them.
    if (!this.#isBlocked) this.#write(HEARTBEAT)
  }

  /** Ends the stream when its time is over or the device does not read; asks for a new token. */
  check({ nowMs, monotonicMs }: StreamTimes): void {
    const { undrainedMs, lifetimeMs, renewBeforeMs, graceMs } = this.#limits
    const isWaiting = this.#isBlocked || !this.isOpen
    if (isWaiting && this.#blockedMs === 0) this.#blockedMs = monotonicMs
    if (isWaiting && monotonicMs - this.#blockedMs >= undrainedMs) return this.drop()
    if (!this.isOpen) return
    if (nowMs >= this.#expiresAtMs + graceMs) return this.bye('token_expired')
    if (monotonicMs - this.#openedMs >= lifetimeMs) return this.bye('lifetime')
    if (nowMs < this.#expiresAtMs - renewBeforeMs || this.#isRenewalDue) return
    this.#isRenewalDue = true
    this.#write(frame({ event: 'session', data: { type: 'renew' } }))
  }

  /** Compares with what is stored about the device's stream. */
  applyOwner(stored: string | null): void {
    if (stored === this.#owner) return
    // Redis was emptied: the stream continues.
    if (stored === null) return
    const owner: Ownership = parseOwnership(stored)
    this.#owner = stored
    if (owner.streamId !== this.streamId) this.bye('replaced')
    else if (owner.renewal !== null && owner.renewal.expiresAtMs >= this.#expiresAtMs) {
      this.#renewal = owner.renewal
    }
  }

  /** What the operator must still have: that of the new token, once there is one. */
  get scope(): GrantedScope {
    return this.#renewal ?? this.#scope
  }

  /** The operator was found to have this scope. */
  confirm(scope: GrantedScope): void {
    const renewal = this.#renewal
    if (renewal === null || renewal !== scope) return
    this.#renewal = null
    this.#scope = renewal
    this.#viewer = viewerOf(renewal)
    this.#expiresAtMs = renewal.expiresAtMs
    this.#isRenewalDue = false
  }

  /**
   * The last event. `retry` is random, so that devices do not all return at once. A device that
   * does not read would receive the events before it much later, after the end of its session.
   */
  bye(reason: ByeReason): void {
    if (!this.isOpen) return
    if (this.#isBlocked) return this.drop()
    this.isOpen = false
    const retry = FINAL.has(reason) ? undefined : retryDelayMs()
    const data = { reason, ...(retry !== undefined && { retryMs: retry }) }
    this.#output.end(frame({ event: 'bye', ...(retry !== undefined && { retry }), data }))
  }

  drop(): void {
    this.isOpen = false
    this.#output.destroy()
  }

  /** Resolves when the client has read what was written, or is gone. */
  writable(): Promise<void> {
    if (!this.#isBlocked || !this.isOpen) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onWritable = resolve
    })
  }

  #continue(): void {
    this.#isBlocked = false
    this.#blockedMs = 0
    this.#onWritable?.()
    this.#onWritable = null
  }

  /** Bytes are counted when there is something new: until then the kernel was offered them. */
  #write(text: string): void {
    if (!this.isOpen) return
    if (this.#output.writableLength > this.#limits.bufferBytes) return this.drop()
    if (!this.#output.write(text)) this.#isBlocked = true
  }
}
