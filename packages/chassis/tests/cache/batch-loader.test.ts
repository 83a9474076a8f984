import { eventually, testRedis } from '@melmastoon/testkit'
import { expect, it, vi } from 'vitest'
import {
  type BatchCache,
  type CachedBytes,
  createBatchLoader,
  defineBatches,
  type LoadResult,
} from '../../src/cache/index.ts'
import { type OpenCache, openCache } from './open-cache.ts'

const IDS = ['a', 'b', 'c', 'd']
const policy = {
  softTtlMs: 60_000,
  staleWhileRevalidateMs: 0,
  staleIfErrorMs: 0,
  negativeTtlMs: 60_000,
}

interface Upstream {
  readonly calls: string[]
  load(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** Responds once `release` was called, so that the test controls the order of the leases. */
function heldUpstream() {
  const calls: string[] = []
  const gate = Promise.withResolvers<void>()
  const upstream: Upstream = {
    calls,
    async load(ids) {
      calls.push(ids.join(' '))
      await gate.promise
      return new Map(ids.filter((id) => id !== 'd').map((id) => [id, `body of ${id}`]))
    },
  }
  return { upstream, release: () => gate.resolve() }
}

interface Reading {
  readonly upstream: Upstream
  /** Without a single-flight for the batch: the negative control. */
  readonly alone?: boolean
}

const NEVER = new AbortController().signal
const bytesOf = ({ body }: LoadResult) => ({ body: Buffer.from(body) }) as CachedBytes

function readerOf({ cache }: OpenCache, { upstream, alone = false }: Reading) {
  const entries = cache.define({ name: 'entry', dimensions: ['id'], ...policy })
  const shared = defineBatches(cache, { name: 'entry-batch', loadTimeoutMs: 4_000 })
  const batches: BatchCache = alone
    ? ({ get: async ({ load }) => bytesOf(await load(NEVER, {} as never)) } as BatchCache)
    : shared
  const load = createBatchLoader({
    cache: batches,
    ids: IDS,
    maxPerCall: 100,
    tagsOf: (id) => [`entry:${id}`],
    load: (ids) => upstream.load(ids),
  })
  return async (id: string) => {
    const entry = await entries.get({
      dims: { id },
      tags: [`entry:${id}`],
      load: (_signal, deadline) => load(id, deadline),
    })
    return entry.status === 200 ? entry.body.toString() : null
  }
}

/** One process leads the load of `a`, the other one the load of `b`, and then both need all. */
async function readFromTwo(alone: boolean) {
  const urls = await testRedis()
  await using one = openCache(urls)
  await using two = openCache(urls)
  const { upstream, release } = heldUpstream()
  const [first, second] = [readerOf(one, { upstream, alone }), readerOf(two, { upstream, alone })]
  const a = first('a')
  await eventually(() => expect(upstream.calls).toHaveLength(1))
  const b = second('b')
  await eventually(async () => expect(await leases(one)).toBeGreaterThanOrEqual(alone ? 2 : 3))
  const all = Promise.all([a, b, ...IDS.flatMap((id) => [first(id), second(id)])])
  release()
  return { bodies: await all, calls: upstream.calls }
}

const leases = async ({ redis }: OpenCache) => (await redis.keys('*:lease')).length

it('two processes that lead different entries of a batch make one upstream call', async () => {
  const { bodies, calls } = await readFromTwo(false)
  expect(calls).toEqual(['a b c d'])
  expect(new Set(bodies)).toEqual(new Set(['body of a', 'body of b', 'body of c', null]))
})

it('control: without a single-flight for the batch each process makes its own call', async () => {
  const { calls } = await readFromTwo(true)
  expect(calls.length).toBeGreaterThan(1)
})

it('an invalidated entry is loaded again, not taken from an earlier batch', async () => {
  await using open = openCache(await testRedis())
  const { upstream, release } = heldUpstream()
  release()
  const read = readerOf(open, { upstream })
  await Promise.all(IDS.map(read))
  await open.cache.invalidate(['entry:b'])
  await read('b')
  expect(upstream.calls).toHaveLength(2)
})

it('a batch is parsed once for all of its entries', async () => {
  await using open = openCache(await testRedis())
  const { upstream, release } = heldUpstream()
  release()
  const read = readerOf(open, { upstream })
  const parse = vi.spyOn(JSON, 'parse')
  await Promise.all(IDS.map(read))
  const batches = parse.mock.calls.filter(([text]) => text.includes('"a":"body of a"'))
  parse.mockRestore()
  expect(batches).toHaveLength(1)
})
