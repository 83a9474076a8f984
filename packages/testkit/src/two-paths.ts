import { expect } from 'vitest'
import { comparable, type Exchanged, exchange, type Sent } from './exchange.ts'

/** A process of a service, as `startService` returns it. */
interface Process {
  readonly url: string
  readonly app: { readonly fastPath: { readonly sent: number } }
  readonly ctx: { readonly metrics: { render(): Promise<string> } }
}

export interface PathCase extends Sent {
  readonly name: string
  /** Whether the response is ready once the request was sent before. */
  readonly isFast?: boolean
}

export interface TwoPathsOptions {
  /** Sends ready responses without Fastify. */
  readonly fast: Process
  /** The same service with the same servers; sends everything through Fastify. */
  readonly plain: Process
  /** Of every request to one of them; a case replaces some, or removes them by an empty value. */
  readonly headersOf: (service: Process) => Readonly<Record<string, string>>
  /** Of bodies: texts that differ between two responses. */
  readonly ownMembers?: readonly string[]
}

export interface TwoPaths {
  /** Sends a request to both until everything is cached. @returns the response that both have. */
  expectSame(given: PathCase): Promise<Exchanged>
  /**
   * By the metrics of both: how many requests one has counted more than the other, besides those
   * that were sent to it here, and how many are in flight.
   */
  countDifference(): Promise<{ readonly total: number; readonly inFlight: number }>
}

const TURNS = 3
const TURNS_MAX = 12

/** Compares the responses of a process with and of one without the fast path. */
export function compareTwoPaths(options: TwoPathsOptions): TwoPaths {
  const sent = { fast: 0, plain: 0 }

  async function exchangeBoth(given: PathCase) {
    const fast = await exchangeWarm(options, options.fast, given)
    const plain = await exchangeWarm(options, options.plain, given)
    sent.fast += fast.turns
    sent.plain += plain.turns
    return { fast, plain }
  }

  async function untilSame(given: PathCase): Promise<void> {
    const areSame = async () => {
      const { fast, plain } = await exchangeBoth(given)
      return fast.response.body === plain.response.body
    }
    // The first time both may still have the larger form.
    await areSame()
    await expect.poll(areSame).toBe(true)
  }

  return {
    async expectSame(given) {
      // A smaller compressed form is made in the background after the first use.
      if (given.headers?.['accept-encoding'] !== undefined) await untilSame(given)
      const { fast, plain } = await exchangeBoth(given)
      expect(fast.response).toEqual(plain.response)
      expect([fast.isFast, plain.isFast]).toEqual([given.isFast ?? false, false])
      return fast.response
    },
    async countDifference() {
      const [fast, plain] = [await countsOf(options.fast), await countsOf(options.plain)]
      const others = { fast: fast.total - sent.fast, plain: plain.total - sent.plain }
      return { total: others.fast - others.plain, inFlight: fast.inFlight + plain.inFlight }
    },
  }
}

/**
 * Often enough that everything that can be cached is cached; the last response counts. A request
 * for which another token of a limit has to be drawn is not fast.
 */
async function exchangeWarm(
  { fast, headersOf, ownMembers }: TwoPathsOptions,
  service: Process,
  { headers = {}, isFast: canBeFast, ...sent }: PathCase,
) {
  const own = Object.entries({ ...headersOf(service), ...headers })
  const used = Object.fromEntries(own.filter(([, value]) => value !== ''))
  const expectsFast = canBeFast === true && service === fast
  for (let turn = 1; ; turn += 1) {
    const before = service.app.fastPath.sent
    const last = await exchange(service.url, { ...sent, headers: used })
    const isFast = service.app.fastPath.sent > before
    const isOver = turn >= TURNS && (isFast || !expectsFast)
    if (!isOver && turn < TURNS_MAX) continue
    return { response: comparable(last, ownMembers), isFast, turns: turn }
  }
}

async function countsOf({ ctx }: Process) {
  const lines = (await ctx.metrics.render()).split('\n')
  const sum = (pattern: RegExp) =>
    lines
      .filter((line) => pattern.test(line))
      .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0)
  return { total: sum(/_request_total\{/), inFlight: sum(/_request_inflight\{/) }
}
