import type { Redis } from 'ioredis'

export interface ChannelListener {
  onMessage(message: string): void
  /** The subscription was interrupted and is restored: messages may have been missed. */
  onReconnect?(): void
}

export interface Subscriber {
  /**
   * Resolves once the server has confirmed, so that no later message is missed. While the server is
   * unavailable it stays pending, and the listener receives messages as soon as the server returns.
   */
  subscribe(channelName: string, listener: ChannelListener): Promise<Subscription>
  isReady(): boolean
}

export interface Subscription {
  unsubscribe(): void
  /**
   * Whether every message that was published before this call has been received: the server sends
   * its reply after them, on the same connection. Pending while the server does not respond; then
   * the connection is replaced.
   */
  verify(): Promise<boolean>
}

/** A server that does not reply for this long has disappeared without closing the connection. */
const REPLY_TIMEOUT_MS = 5_000

const subscribers = new WeakMap<Redis, Subscriber>()

/**
 * The subscriber connection of a client: every call returns the same one, so all channels of a
 * process share it. It ends when its client ends.
 */
export function createSubscriber(redis: Redis): Subscriber {
  const known = subscribers.get(redis)
  if (known !== undefined) return known
  const created = openSubscriber(redis)
  subscribers.set(redis, created)
  return created
}

function openSubscriber(redis: Redis): Subscriber {
  const listeners = new Map<string, Set<ChannelListener>>()
  // Resubscribing is done here, not by the library, whose own attempt rejects unhandled when the
  // connection drops again in the middle of it.
  const connection = redis.duplicate({
    connectionName: `${redis.options.connectionName ?? 'redis'}-sub`,
    autoResubscribe: false,
    enableOfflineQueue: true,
    maxRetriesPerRequest: null,
    // A subscription may be idle for ever; the time limits are for commands.
    commandTimeout: undefined,
    socketTimeout: undefined,
  })
  let wasReady = false
  let losses = 0
  // The number of losses when all channels were last subscribed.
  let subscribedAfter = -1
  connection.on('error', (error) => redis.emit('error', error))
  connection.on('message', (name, message) => {
    for (const listener of listeners.get(name) ?? []) listener.onMessage(message)
  })
  connection.on('ready', () => {
    const returned = wasReady
    wasReady = true
    const lossesBefore = losses
    void resubscribe(connection, [...listeners.keys()]).then((isRestored) => {
      if (returned) notifyReconnect(listeners)
      if (isRestored) subscribedAfter = lossesBefore
    })
  })
  connection.on('close', () => {
    losses += 1
  })
  redis.once('end', () => {
    subscribers.delete(redis)
    connection.disconnect()
  })
  return {
    isReady: () => connection.status === 'ready',
    async subscribe(name, listener) {
      const unsubscribe = await addListener(connection, listeners, { name, listener })
      return { unsubscribe, verify }
    },
  }

  async function verify(): Promise<boolean> {
    const lossesBefore = losses
    if (subscribedAfter !== lossesBefore) return false
    const timer = setTimeout(() => connection.disconnect(true), REPLY_TIMEOUT_MS)
    timer.unref()
    try {
      await connection.ping()
      return lossesBefore === losses
    } catch {
      return false
    } finally {
      clearTimeout(timer)
    }
  }
}

async function addListener(
  connection: Redis,
  listeners: Map<string, Set<ChannelListener>>,
  { name, listener }: { name: string; listener: ChannelListener },
): Promise<() => void> {
  const set = listeners.get(name) ?? new Set()
  listeners.set(name, set.add(listener))
  await connection.subscribe(name)
  return () => {
    set.delete(listener)
    if (set.size > 0 || listeners.get(name) !== set) return
    listeners.delete(name)
    connection.unsubscribe(name).catch(() => undefined)
  }
}

/** False when the connection is lost again: the next 'ready' repeats it. */
async function resubscribe(connection: Redis, names: readonly string[]): Promise<boolean> {
  if (names.length === 0) return true
  return await connection.subscribe(...names).then(
    () => true,
    () => false,
  )
}

function notifyReconnect(listeners: Map<string, Set<ChannelListener>>): void {
  for (const set of listeners.values()) {
    for (const listener of set) listener.onReconnect?.()
  }
}
