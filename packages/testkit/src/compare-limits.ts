import { expect } from 'vitest'
import { comparable, type Exchanged, exchange, type Sent } from './exchange.ts'

/** A process of a service with a limit that a test reaches. */
interface LimitedService extends AsyncDisposable {
  readonly url: string
  readonly app: { readonly fastPath: { readonly sent: number } }
}

export interface LimitedPaths<Service extends LimitedService> {
  /** Starts the service with the same limit each time, with or without the fast path. */
  readonly start: (settings: { readonly fastPath: boolean }) => Promise<Service>
  /** A request of a new guest whose response is ready once it was sent before. */
  readonly request: (service: Service) => Promise<Sent>
  /** How many requests the limit allows. */
  readonly allowed: number
}

const REJECTED = 4

/** Sends as many requests as a limit allows to a process of each kind, and a few more. */
export async function expectSameLimits<Service extends LimitedService>(
  paths: LimitedPaths<Service>,
): Promise<void> {
  const [fast, plain] = await Promise.all([exhaust(paths, true), exhaust(paths, false)])
  expect([fast.isFast, plain.isFast]).toEqual([true, false])
  expect(fast.remaining).toEqual(plain.remaining)
  expect(fast.remaining).toHaveLength(paths.allowed)
  expect(fast.rejected).toHaveLength(REJECTED)
  expect(fast.rejected).toEqual(plain.rejected)
}

export interface WideLimitedPaths<Service extends LimitedService> extends LimitedPaths<Service> {
  /** Of the limit that is reached, as it is in the headers. */
  readonly policyName: string
  /** How many requests more the limit allows each second. */
  readonly perSecond: number
  /** Unspent tokens that a process may have lost because it was too slow for them. */
  readonly lostMax: number
}

/** The same for a limit whose tokens are drawn in advance, and regained meanwhile. */
export async function expectSameWideLimits<Service extends LimitedService>(
  paths: WideLimitedPaths<Service>,
): Promise<void> {
  const { allowed, policyName, perSecond, lostMax } = paths
  for (const fastPath of [true, false]) {
    const { accepted, rejected, isFast, seconds } = await exhaustWide(paths, fastPath)
    expect(isFast).toBe(fastPath)
    expect([rejected.status, rejected.headers['ratelimit']]).toEqual([
      429,
      expect.stringContaining(`"${policyName}"`),
    ])
    expect(accepted).toBeGreaterThanOrEqual(allowed - lostMax)
    expect(accepted).toBeLessThanOrEqual(allowed + Math.ceil(seconds * perSecond))
  }
}

/** Sends until a request is rejected, at most twice as many as are allowed. */
async function exhaustWide<Service extends LimitedService>(
  { start, request, allowed }: WideLimitedPaths<Service>,
  fastPath: boolean,
) {
  await using service = await start({ fastPath })
  const sent = await request(service)
  const startedMs = performance.now()
  let accepted = 0
  let last = await exchange(service.url, sent)
  for (; accepted < 2 * allowed && last.status === 200; accepted += 1) {
    last = await exchange(service.url, sent)
  }
  const seconds = (performance.now() - startedMs) / 1_000
  return { accepted, rejected: last, seconds, isFast: service.app.fastPath.sent > 0 }
}

async function exhaust<Service extends LimitedService>(
  { start, request, allowed }: LimitedPaths<Service>,
  fastPath: boolean,
) {
  await using service = await start({ fastPath })
  const sent = await request(service)
  const responses: Exchanged[] = []
  for (let turn = 0; turn < allowed + REJECTED; turn += 1) {
    responses.push(await exchange(service.url, sent))
  }
  return {
    remaining: responses.slice(0, allowed).map(remainingOf),
    rejected: responses.filter(({ status }) => status === 429).map(withoutTimes),
    isFast: service.app.fastPath.sent > 0,
  }
}

const remainingOf = ({ headers }: Exchanged) => /;r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]

/** Comparable, and without the time after which a client may repeat its request. */
export function withoutTimes(response: Exchanged): Exchanged {
  const { status, headers, body } = comparable(response)
  const { 'retry-after': _seconds, 'content-length': _length, ...others } = headers
  return { status, headers: others, body: body.replace(/"retryAfter":\d+/, '') }
}
