import { Redis } from 'ioredis'

export interface RedisSettings {
  name: string
  onError: (error: Error) => void
  /** How long one command may take, queueing included. 0 = no limit, for blocking reads only. */
  commandTimeoutMs?: number
  connectTimeoutMs?: number
  random?: () => number
}

const COMMAND_TIMEOUT_MS = 1_000
const CONNECT_TIMEOUT_MS = 2_000
const RETRY_MIN_MS = 50
const RETRY_MAX_MS = 2_000

/**
 * A Redis connection that is bounded in every direction and never crashes the process.
 *
 * Before the first connection commands wait in the queue, at most `commandTimeoutMs`. Afterwards a
 * lost connection fails them immediately (D22: callers can continue without Redis), and a command
 * whose reply was lost is reported as failed and never sent again.
 */
export function createRedis(url: string, settings: RedisSettings): Redis {
  const timeoutMs = settings.commandTimeoutMs ?? COMMAND_TIMEOUT_MS
  const random = settings.random ?? Math.random
  const redis = new Redis(url, {
    connectionName: settings.name,
    connectTimeout: settings.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    ...(timeoutMs > 0 && {
      commandTimeout: timeoutMs,
      // Commands were sent and no reply arrives: the peer disappeared without a reset.
      socketTimeout: timeoutMs + 1_000,
    }),
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => reconnectDelayMs(attempt, random()),
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
  redis.on('error', settings.onError)
  redis.once('ready', () => {
    redis.options.enableOfflineQueue = false
  })
  return writeTogether(announceEnd(redis))
}

/**
 * When it is disconnected between two attempts to connect, the library emits no event. The
 * subscriber, which waits for the end, would then reconnect for ever and prevent the process from
 * exiting.
 */
function announceEnd(redis: Redis): Redis {
  const disconnect = redis.disconnect.bind(redis)
  redis.disconnect = (reconnect = false) => {
    const betweenAttempts = redis.status === 'reconnecting'
    disconnect(reconnect)
    if (!betweenAttempts || reconnect) return
    redis.status = 'end'
    redis.emit('end')
  }
  return redis
}

/**
 * Commands of one event loop turn are sent in one write: a composed page sends several, and each
 * write is a system call that wakes up the server.
 */
function writeTogether(redis: Redis): Redis {
  const send = redis.sendCommand.bind(redis)
  let isHeld = false
  redis.sendCommand = (command, stream) => {
    // There is no stream before the first connection.
    const socket = redis.stream as Redis['stream'] | undefined
    if (!isHeld && socket !== undefined) {
      isHeld = true
      socket.cork()
      process.nextTick(() => {
        isHeld = false
        socket.uncork()
      })
    }
    return send(command, stream)
  }
  return redis
}

/**
 * Doubles up to two seconds. Jitter between half and all of it prevents simultaneous reconnects.
 */
export function reconnectDelayMs(attempt: number, random: number): number {
  const ceilingMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(attempt - 1, 10))
  return Math.round(ceilingMs * (0.5 + random / 2))
}

export function isReady(redis: Redis): boolean {
  return redis.status === 'ready'
}

/** Also true before the first connection, when commands wait for it (at most their timeout). */
export function acceptsCommands(redis: Redis): boolean {
  return isReady(redis) || (redis.options.enableOfflineQueue === true && redis.status !== 'end')
}

/** Resolves to whether the connection became ready within the given time. */
export function waitUntilReady(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (isReady(redis)) return Promise.resolve(true)
  return new Promise((resolve) => {
    const finish = (ready: boolean) => {
      clearTimeout(timer)
      redis.off('ready', onReady)
      resolve(ready)
    }
    const onReady = () => finish(true)
    const timer = setTimeout(() => finish(false), timeoutMs)
    redis.once('ready', onReady)
  })
}
