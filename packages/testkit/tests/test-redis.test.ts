import { testRedis } from '@melmastoon/testkit'
import { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'

describe('testRedis', () => {
  it('provides each caller with two separate empty databases', async () => {
    const scopes = await Promise.all(Array.from({ length: 20 }, () => testRedis()))
    expect(new Set(scopes.map((scope) => scope.database)).size).toBe(20)
    expect(scopes.every((scope) => scope.database > 0)).toBe(true)
    const clients = scopes.slice(0, 2).map((scope) => new Redis(scope.sessionUrl))
    await clients[0]?.set('key', 'mine')
    expect(await clients[0]?.get('key')).toBe('mine')
    expect(await clients[1]?.get('key')).toBeNull()
    for (const client of clients) client.disconnect()
  })

  it('evicts cached values but no sessions', async () => {
    const scope = await testRedis()
    const [session, cache] = [new Redis(scope.sessionUrl), new Redis(scope.cacheUrl)]
    expect(await session.config('GET', 'maxmemory-policy')).toContain('noeviction')
    expect(await cache.config('GET', 'maxmemory-policy')).toContain('allkeys-lru')
    session.disconnect()
    cache.disconnect()
  })
})
