import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { isAlive } from '@melmastoon/one-machine'
import { eventually, type SpawnedProcess, testInfra } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createStartWorld, type StartWorld } from './_start-world.ts'

let world: StartWorld
beforeAll(async () => {
  world = await createStartWorld()
})
afterEach(() => world.settle())
afterAll(() => world[Symbol.asyncDispose]())

const isLive = (pid: unknown) => isAlive(Number(pid))

async function timedEnd(product: SpawnedProcess, signal: NodeJS.Signals) {
  const startedAt = performance.now()
  const exit = await product.kill(signal)
  return { ...exit, elapsedMs: performance.now() - startedAt }
}

function serverPids(): number[] {
  const read = (file: string) => readFileSync(join(world.dataFolder, file), 'utf8')
  const postmaster = read('postgres/data/postmaster.pid').split('\n')[0]
  const redis = (name: string) => Number(JSON.parse(read(`${name}/redis.json`)).pid)
  return [Number(postmaster), redis('redis-sessions'), redis('redis-caches')]
}

describe('npm start', () => {
  it('starts servers and services, and leaves no process behind when it is stopped', async () => {
    const product = await world.startReady()
    const seen = await world.echo()
    expect(seen).toMatchObject({
      DATABASE_URL: `postgres://postgres@127.0.0.1:${world.ports.postgres}/melmastoon`,
      REDIS_SESSION_URL: `redis://127.0.0.1:${world.ports.session}`,
      REDIS_CACHE_URL: `redis://127.0.0.1:${world.ports.cache}`,
      ECHO_EXTRA: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/),
    })
    expect(product.lines.join('\n')).toMatch(/✓ echo migrated .*✓ echo on http.*curl http/s)
    const pids = [seen['pid'], ...serverPids()]
    expect(pids.map(isLive)).toEqual([true, true, true, true])
    const exit = await timedEnd(product, 'SIGINT')
    expect(exit).toMatchObject({ code: 0, signal: null })
    expect(exit.elapsedMs).toBeLessThan(10_000)
    expect(pids.map(isLive)).toEqual([false, false, false, false])
    const log = readFileSync(join(world.dataFolder, 'logs/echo.log'), 'utf8')
    expect(log).toMatch(/echo starts\n.*echo stops/s)
  })

  it('stops everything when its terminal closes and takes the screen away', async () => {
    const product = await world.startOnScreen()
    const pids = [(await world.echo())['pid'], ...serverPids()]
    expect(pids.map(isLive)).toEqual([true, true, true, true])
    product.stdout.destroy()
    product.stderr.destroy()
    product.kill('SIGHUP')
    expect(await once(product, 'exit')).toEqual([0, null])
    expect(pids.map(isLive)).toEqual([false, false, false, false])
  })

  it('refuses a second start beside a running one, which goes on', async () => {
    const first = await world.startReady()
    const second = world.start()
    expect(await second.exited).toMatchObject({ code: 1 })
    expect(second.lines).toHaveLength(1)
    expect(second.lines[0]).toContain(`already running here (process ${first.pid})`)
    expect(await world.echo()).toHaveProperty('pid')
    await first.kill('SIGTERM')
  })

  it('tidies up after a supervisor that was killed, even when the ports moved', async () => {
    const first = await world.startReady()
    const { pid: orphan, ECHO_EXTRA: extra } = await world.echo()
    const [postgres, session, cache] = serverPids()
    await first.kill('SIGKILL')
    expect([orphan, postgres, session, cache].map(isLive)).toEqual([true, true, true, true])
    const port = world.ports.cache + 1
    const second = await world.startReady({ env: { MELMASTOON_REDIS_CACHE_PORT: String(port) } })
    expect([orphan, cache].map(isLive)).toEqual([false, false])
    expect(serverPids().slice(0, 2)).toEqual([postgres, session])
    expect(second.lines.join('\n')).toContain('ended 1 process')
    expect(await world.echo()).toMatchObject({
      REDIS_CACHE_URL: `redis://127.0.0.1:${port}`,
      ECHO_EXTRA: extra,
    })
    const pids = serverPids()
    await second.kill('SIGTERM')
    expect(pids.map(isLive)).toEqual([false, false, false])
  })

  it.each([
    { what: 'echo', variable: 'MELMASTOON_ECHO_PORT' },
    { what: 'postgres', variable: 'MELMASTOON_POSTGRES_PORT' },
    { what: 'session', variable: 'MELMASTOON_REDIS_SESSION_PORT' },
  ] as const)('names the busy port of $what and the variable that moves it', async (busy) => {
    const port = world.ports[busy.what]
    const squatter = createServer().listen(port, '127.0.0.1')
    await once(squatter, 'listening')
    const refused = world.start()
    expect(await refused.exited).toMatchObject({ code: 1 })
    squatter.close()
    const message = refused.lines.find((line) => line.startsWith('✗ Port'))
    expect(message).toContain(`Port ${port},`)
    expect(message).toContain(busy.variable)
    expect(refused.lines.filter((line) => /^\s+at /.test(line))).toEqual([])
  })

  it('shows the last lines of a service that does not come up, and stops the rest', async () => {
    const product = world.start({ env: { ECHO_MODE: 'broken' } })
    expect(await product.exited).toMatchObject({ code: 1 })
    const shown = product.lines.join('\n')
    expect(shown).toContain('echo ended before it was ready (exit code 3)')
    expect(shown).toContain('    echo is broken on purpose')
    expect(shown).toContain('servers stopped')
  })

  it('restarts what ends: a server, and a service until it has ended too often', async () => {
    const product = await world.startReady()
    const session = serverPids()[1]
    process.kill(Number(session), 'SIGKILL')
    const pids = new Set<unknown>()
    for (let crash = 0; crash < 3; crash += 1) {
      const { pid } = await eventually(() => world.echo())
      pids.add(pid)
      await world.echo('/crash').catch(() => undefined)
    }
    expect(pids.size).toBe(3)
    await product.waitForLine('echo keeps ending: restarted 2 times')
    await product.waitForLine('redis sessions is gone')
    await eventually(() => expect([session, isLive(serverPids()[1])]).toEqual([session, true]))
    expect(serverPids()[1]).not.toBe(session)
    expect(await timedEnd(product, 'SIGINT')).toMatchObject({ code: 0 })
  })

  it('uses servers of the caller where they are named, and ends a service that is deaf', async () => {
    const { postgresUrl, redisSessionUrl, redisCacheUrl } = testInfra()
    const url = new URL(postgresUrl)
    url.pathname = `/start_${process.pid}`
    const given = {
      DATABASE_URL: url.href,
      REDIS_SESSION_URL: `${redisSessionUrl}/900`,
      REDIS_CACHE_URL: `${redisCacheUrl}/900`,
    }
    const product = await world.startReady({ env: { ...given, ECHO_MODE: 'deaf' } })
    const seen = await world.echo()
    expect(seen).toMatchObject(given)
    const exit = await timedEnd(product, 'SIGTERM')
    expect(exit).toMatchObject({ code: 0 })
    expect(exit.elapsedMs).toBeLessThan(10_000)
    expect(isLive(seen['pid'])).toBe(false)
  })

  it('says which server of the caller does not answer, without its password', async () => {
    const env = {
      REDIS_CACHE_URL: 'redis://:hidden@127.0.0.1:1',
      DATABASE_URL: 'postgres://x:hidden@127.0.0.1:1/x',
    }
    const lost = world.start({ env })
    expect(await lost.exited).toMatchObject({ code: 1 })
    expect(lost.lines.join('\n')).toMatch(
      /✗ DATABASE_URL: no answer from 127\.0\.0\.1:1 \(ECONNREFUSED\)/,
    )
    expect(lost.lines.join('\n')).not.toContain('hidden')
  })

  it('forgets earlier data when asked for a fresh start', async () => {
    const marks = ['postgres', 'redis-sessions'].map((name) => join(world.dataFolder, name, 'mark'))
    for (const mark of marks) writeFileSync(mark, '')
    const kept = await world.startReady()
    expect(marks.map(existsSync)).toEqual([true, true])
    await kept.kill('SIGTERM')
    const product = await world.startReady({ args: ['--fresh'] })
    expect(marks.map(existsSync)).toEqual([false, false])
    await product.kill('SIGTERM')
  })
})
