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
}

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
  connection.on('error', (error) => redis.emit('error', error))
  connection.on('message', (name, message) => {
    for (const listener of listeners.get(name) ?? []) listener.onMessage(message)
  })
  connection.on('ready', () => {
    const returned = wasReady
    wasReady = true
    void resubscribe(connection, [...listeners.keys()]).then(() => {
      if (returned) notifyReconnect(listeners)
    })
  })
  redis.once('end', () => {
    subscribers.delete(redis)
    connection.disconnect()
  })
  return {
    isReady: () => connection.status === 'ready',
    subscribe: (name, listener) => addListener(connection, listeners, { name, listener }),
  }
}

async function addListener(
  connection: Redis,
  listeners: Map<string, Set<ChannelListener>>,
  { name, listener }: { name: string; listener: ChannelListener },
): Promise<Subscription> {
  const set = listeners.get(name) ?? new Set()
  listeners.set(name, set.add(listener))
  await connection.subscribe(name)
  return {
    unsubscribe() {
      set.delete(listener)
      if (set.size > 0 || listeners.get(name) !== set) return
      listeners.delete(name)
      connection.unsubscribe(name).catch(() => undefined)
    },
  }
}

async function resubscribe(connection: Redis, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  // A failure here means the connection is lost again: the next 'ready' repeats it.
  await connection.subscribe(...names).catch(() => undefined)
}

function notifyReconnect(listeners: Map<string, Set<ChannelListener>>): void {
  for (const set of listeners.values()) {
    for (const listener of set) listener.onReconnect?.()
  }
}
