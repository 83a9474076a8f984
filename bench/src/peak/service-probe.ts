import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Command, Redis } from 'ioredis'
import { Pool } from 'pg'
import { percentile } from '../harness/statistics.ts'

/** What was observed inside the service since the last reset. */
export interface Probed {
  readonly pool: {
    readonly taken: number
    readonly timeouts: number
    readonly p99Ms: number
    /** Of those taken, the share for which all connections were in use. */
    readonly exhaustedShare: number
  }
  readonly redis: Readonly<Record<'session' | 'cache', { commands: number; p95Ms: number }>>
  readonly loopDelay: { readonly p95Ms: number; readonly p99Ms: number }
}

/** These wait for others on purpose, or belong to the start of a connection. */
const NOT_TIMED: ReadonlySet<string> = new Set([
  'xread',
  'xreadgroup',
  'blpop',
  'subscribe',
  'psubscribe',
  'unsubscribe',
  'hello',
  'info',
  'client',
  'select',
  'auth',
  'quit',
])

const NS_PER_MS = 1e6

type SendCommand = (this: Redis, command: Command, stream?: unknown) => unknown

/**
 * Measures in the process of the service how long its requests wait for a connection of the pool,
 * and for Redis. The libraries are instrumented, so the service itself is the one that is shipped.
 */
export class ServiceProbe {
  readonly #sessionPort: number
  readonly #appUser: string
  readonly #loop = monitorEventLoopDelay({ resolution: 5 })
  #waits: number[] = []
  #timeouts = 0
  #exhausted = 0
  #session: number[] = []
  #cache: number[] = []

  constructor({ sessionUrl, appUrl }: { readonly sessionUrl: string; readonly appUrl: string }) {
    this.#sessionPort = Number(new URL(sessionUrl).port)
    this.#appUser = new URL(appUrl).username
    this.#loop.enable()
    this.#timePools()
    this.#timeRedis()
  }

  reset(): void {
    this.#waits = []
    this.#timeouts = 0
    this.#exhausted = 0
    this.#session = []
    this.#cache = []
    this.#loop.reset()
  }

  read(): Probed {
    const commands = (all: readonly number[]) => ({
      commands: all.length,
      p95Ms: percentile(all, 0.95),
    })
    return {
      pool: {
        taken: this.#waits.length,
        timeouts: this.#timeouts,
        p99Ms: percentile(this.#waits, 0.99),
        exhaustedShare: this.#exhausted / Math.max(1, this.#waits.length),
      },
      redis: { session: commands(this.#session), cache: commands(this.#cache) },
      loopDelay: {
        p95Ms: this.#loop.percentile(95) / NS_PER_MS,
        p99Ms: this.#loop.percentile(99) / NS_PER_MS,
      },
    }
  }

  #timePools(): void {
    const connect = Reflect.get(Pool.prototype, 'connect') as (this: Pool) => Promise<unknown>
    const observe = (pool: Pool, isExhausted: boolean, taking: Promise<unknown>) =>
      this.#observeTaking(pool, isExhausted, taking)
    const timed = function (this: Pool) {
      const isExhausted = this.totalCount >= this.options.max && this.idleCount <= this.waitingCount
      const taking = connect.call(this)
      observe(this, isExhausted, taking)
      return taking
    }
    Object.defineProperty(Pool.prototype, 'connect', { value: timed })
  }

  #observeTaking(pool: Pool, isExhausted: boolean, taking: Promise<unknown>): void {
    const { connectionString = 'postgres:' } = pool.options
    if (new URL(connectionString).username !== this.#appUser) return
    if (isExhausted) this.#exhausted += 1
    const startedAt = performance.now()
    taking.then(
      () => void this.#waits.push(performance.now() - startedAt),
      () => {
        this.#timeouts += 1
      },
    )
  }

  #timeRedis(): void {
    const sendCommand = Reflect.get(Redis.prototype, 'sendCommand') as SendCommand
    const observe = (redis: Redis, command: Command) => this.#observeCommand(redis, command)
    const timed: SendCommand = function (command, stream) {
      observe(this, command)
      return sendCommand.call(this, command, stream)
    }
    Object.defineProperty(Redis.prototype, 'sendCommand', { value: timed })
  }

  #observeCommand({ options }: Redis, command: Command): void {
    if (NOT_TIMED.has(command.name)) return
    const latencies = options.port === this.#sessionPort ? this.#session : this.#cache
    const startedAt = performance.now()
    command.promise.then(
      () => void latencies.push(performance.now() - startedAt),
      () => undefined,
    )
  }
}
