import type { Socket } from 'node:net'

export type ProxyMode =
  | { readonly kind: 'pass' }
  /** Every byte arrives later, in order. */
  | { readonly kind: 'latency'; readonly delayMs: number }
  | { readonly kind: 'bandwidth'; readonly bytesPerSecond: number }
  /** Connections are refused and open ones closed, as if the server were down. */
  | { readonly kind: 'refuse' }
  /** Connections are accepted and then reset. */
  | { readonly kind: 'reset' }
  /** Connections stay open but bytes are dropped; with `responses` requests take effect. */
  | { readonly kind: 'blackhole'; readonly loses?: 'both' | 'responses' | 'requests' }

export type Direction = 'requests' | 'responses'

export interface Pump {
  /** True once bytes were dropped: the stream is incomplete. */
  readonly hasLost: boolean
}

interface Parcel {
  readonly bytes: Buffer | null
  readonly dueAtMs: number
}

export interface PumpOptions {
  readonly direction: Direction
  readonly mode: () => ProxyMode
}

const queueMaxParcels = 256

/** Forwards one direction of a connection. The end of the stream is forwarded after all bytes. */
export function startPump(source: Socket, sink: Socket, options: PumpOptions): Pump {
  const queue: Parcel[] = []
  let lastDueAtMs = 0
  let timer: NodeJS.Timeout | undefined
  let hasLost = false

  const deliver = () => {
    timer = undefined
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      const waitMs = first.dueAtMs - performance.now()
      if (waitMs > 0) {
        timer = setTimeout(deliver, waitMs)
        return
      }
      queue.shift()
      if (first.bytes === null) sink.end()
      else if (!sink.write(first.bytes)) return pauseUntilDrained()
    }
    if (source.isPaused()) source.resume()
  }
  const pauseUntilDrained = () => {
    source.pause()
    sink.once('drain', deliver)
  }
  const accept = (bytes: Buffer | null) => {
    const mode = options.mode()
    if (isSwallowed(mode, options.direction)) {
      hasLost = true
      return
    }
    for (const piece of slice(bytes, mode)) {
      lastDueAtMs = dueAtMs(piece, mode, lastDueAtMs)
      queue.push({ bytes: piece, dueAtMs: lastDueAtMs })
    }
    if (queue.length > queueMaxParcels) source.pause()
    if (timer === undefined) deliver()
  }
  source.on('data', (bytes: Buffer) => accept(bytes))
  source.on('end', () => accept(null))
  sink.on('close', () => clearTimeout(timer))
  return {
    get hasLost() {
      return hasLost
    },
  }
}

export function isSwallowed(mode: ProxyMode, direction: Direction): boolean {
  if (mode.kind !== 'blackhole') return false
  return mode.loses === undefined || mode.loses === 'both' || mode.loses === direction
}

/** Ten slices per second, so that bytes arrive evenly on a slow connection. */
function slice(bytes: Buffer | null, mode: ProxyMode): (Buffer | null)[] {
  if (bytes === null || mode.kind !== 'bandwidth') return [bytes]
  const size = Math.max(1, Math.ceil(mode.bytesPerSecond / 10))
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

/** Never before its predecessor, even when the mode was changed to a faster one. */
function dueAtMs(piece: Buffer | null, mode: ProxyMode, lastDueAtMs: number): number {
  const nowMs = performance.now()
  if (mode.kind === 'latency') return Math.max(lastDueAtMs, nowMs + mode.delayMs)
  if (mode.kind !== 'bandwidth') return Math.max(lastDueAtMs, nowMs)
  const takesMs = ((piece?.length ?? 0) * 1000) / mode.bytesPerSecond
  return Math.max(lastDueAtMs, nowMs) + takesMs
}
