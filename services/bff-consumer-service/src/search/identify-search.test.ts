import { BackgroundWork } from '@melmastoon/chassis/concurrency'
import { newId } from '@melmastoon/domain'
import { LRUCache } from 'lru-cache'
import { describe, expect, it, vi } from 'vitest'
import { type IdentifyDeps, identifySearch, type Searching } from './identify-search.ts'

const NOW_MS = Date.now()

function open() {
  const errors: unknown[] = []
  const background = new BackgroundWork({
    onError: (error) => void errors.push(error),
    onDropped: () => undefined,
  })
  const save = vi.fn<() => Promise<void>>(async () => undefined)
  const update = vi.fn<() => Promise<null>>(async () => null)
  const deps: IdentifyDeps = {
    clock: { nowMs: () => NOW_MS },
    recentSearches: new LRUCache({ max: 10 }),
    searchSessions: { save },
    sessions: { update },
    background,
  } as never
  return { deps, background, save, update, errors }
}

const SEARCHING: Searching = {
  session: { id: newId('gms'), version: 1, data: { searchHistory: [] } },
  page: { queryHash: 'hash', query: {} },
  resultCount: 3,
  isNewSession: false,
} as never

describe('a search', () => {
  it('whose save was dropped is saved with its next page', async () => {
    const { deps, background, save } = open()
    const busy = Promise.withResolvers<void>()
    for (let at = 0; at < 1_000; at += 1) background.run(`other ${at}`, () => busy.promise)
    const search = identifySearch(deps, SEARCHING)
    expect([search.isSaved, save.mock.calls.length]).toEqual([false, 0])
    busy.resolve()
    await background[Symbol.asyncDispose]()
    expect(identifySearch(deps, SEARCHING)).toBe(search)
    expect([search.isSaved, save.mock.calls.length]).toEqual([true, 1])
    await background[Symbol.asyncDispose]()
    identifySearch(deps, SEARCHING)
    expect(save).toHaveBeenCalledTimes(1)
  })

  it('of which nothing was saved reports both failures', async () => {
    const { deps, background, save, update, errors } = open()
    const [first, second] = [new Error('first'), new Error('second')]
    save.mockRejectedValueOnce(first)
    update.mockRejectedValueOnce(second)
    const search = identifySearch(deps, SEARCHING)
    await background[Symbol.asyncDispose]()
    expect(search.isSaved).toBe(false)
    expect(errors).toMatchObject([{ name: 'AggregateError', errors: [first, second] }])
  })
})
