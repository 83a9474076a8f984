import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { freePort, isAlive } from '@melmastoon/one-machine'
import { eventually, type SpawnedProcess, testInfra } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isServedFrom } from '../start/run-addresses.ts'
import { createStartEnvironment, type StartEnvironment } from './_start-environment.ts'

let environment: StartEnvironment
beforeAll(async () => {
  environment = await createStartEnvironment()
})
afterEach(() => environment.settle())
afterAll(() => environment[Symbol.asyncDispose]())

const isLive = (pid: unknown) => isAlive(Number(pid))

async function timedEnd(product: SpawnedProcess, signal: NodeJS.Signals) {
  const startedAt = performance.now()
  const exit = await product.kill(signal)
  return { ...exit, elapsedMs: performance.now() - startedAt }
}

function serverPids(): number[] {
  const read = (file: string) => readFileSync(join(environment.dataFolder, file), 'utf8')
  const postmaster = read('postgres/data/postmaster.pid').split('\n')[0]
  const redis = (name: string) => Number(JSON.parse(read(`${name}/redis.json`)).pid)
  return [Number(postmaster), redis('redis-sessions'), redis('redis-caches')]
}

describe('npm start', () => {
  it('starts servers and services, and leaves no process behind when it is stopped', async () => {
    const product = await environment.startReady()
    const seen = await environment.echo()
    expect(seen).toMatchObject({
      DATABASE_URL: `postgres://postgres@127.0.0.1:${environment.ports.postgres}/melmastoon`,
      REDIS_SESSION_URL: `redis://127.0.0.1:${environment.ports.session}`,
      REDIS_CACHE_URL: `redis://127.0.0.1:${environment.ports.cache}`,
      ECHO_EXTRA: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/),
    })
    await product.waitForLine('curl http')
    expect(product.lines.join('\n')).toMatch(/✓ echo migrated .*✓ echo on http.*curl http/s)
    const pids = [seen['pid'], ...serverPids()]
    expect(pids.map(isLive)).toEqual([true, true, true, true])
    const { postgres, echo } = environment.ports
    const isOurs = (port: number) => isServedFrom(environment.dataFolder, port)
    expect([postgres, echo, 1].map(isOurs)).toEqual([true, true, false])
    const exit = await timedEnd(product, 'SIGINT')
    expect(exit).toMatchObject({ code: 0, signal: null })
    expect(exit.elapsedMs).toBeLessThan(10_000)
    expect(pids.map(isLive)).toEqual([false, false, false, false])
    const log = readFileSync(join(environment.dataFolder, 'logs/echo.log'), 'utf8')
    expect(log).toMatch(/echo starts\n.*echo stops/s)
  })

  it('stops everything when its terminal and output streams close', async () => {
    const product = await environment.startWithStreams()
    const pids = [(await environment.echo())['pid'], ...serverPids()]
    expect(pids.map(isLive)).toEqual([true, true, true, true])
    product.stdout.destroy()
    product.stderr.destroy()
    product.kill('SIGHUP')
    expect(await once(product, 'exit')).toEqual([0, null])
    expect(pids.map(isLive)).toEqual([false, false, false, false])
  })

  it('rejects a second start and leaves the first one running', async () => {
    const first = await environment.startReady()
    const second = environment.start()
    expect(await second.exited).toMatchObject({ code: 1 })
    expect(second.lines).toHaveLength(1)
    expect(second.lines[0]).toContain(`already running here (process ${first.pid})`)
    expect(await environment.echo()).toHaveProperty('pid')
    await first.kill('SIGTERM')
  })

  it('stops the processes of a killed supervisor, even if ports have changed', async () => {
    const first = await environment.startReady()
    const { pid: orphan, ECHO_EXTRA: extra } = await environment.echo()
    const [postgres, session, cache] = serverPids()
    await first.kill('SIGKILL')
    expect([orphan, postgres, session, cache].map(isLive)).toEqual([true, true, true, true])
    const port = await freePort()
    const second = await environment.startReady({
      env: { MELMASTOON_REDIS_CACHE_PORT: String(port) },
    })
    expect([orphan, cache].map(isLive)).toEqual([false, false])
    expect(serverPids().slice(0, 2)).toEqual([postgres, session])
    expect(second.lines.join('\n')).toContain('stopped 1 process')
    expect(await environment.echo()).toMatchObject({
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
  ] as const)('reports the busy port of $what and its variable', async (busy) => {
    const port = environment.ports[busy.what]
    const otherProgram = createServer().listen(port, '127.0.0.1')
    await once(otherProgram, 'listening')
    const rejected = environment.start()
    expect(await rejected.exited).toMatchObject({ code: 1 })
    otherProgram.close()
    const message = rejected.lines.find((line) => line.startsWith('✗ Port'))
    expect(message).toContain(`Port ${port},`)
    expect(message).toContain(busy.variable)
    expect(rejected.lines.filter((line) => /^\s+at /.test(line))).toEqual([])
  })

  it('shows the last lines of a service that fails to start, and stops the others', async () => {
    const product = environment.start({ env: { ECHO_MODE: 'broken' } })
    expect(await product.exited).toMatchObject({ code: 1 })
    const shown = product.lines.join('\n')
    expect(shown).toContain('echo ended before it was ready (exit code 3)')
    expect(shown).toContain('    echo is broken on purpose')
    expect(shown).toContain('servers stopped')
  })

  it('restarts servers, and a service up to a limit', async () => {
    const product = await environment.startReady()
    const session = serverPids()[1]
    process.kill(Number(session), 'SIGKILL')
    const pids = new Set<unknown>()
    for (let crash = 0; crash < 3; crash += 1) {
      const { pid } = await eventually(() => environment.echo())
      pids.add(pid)
      await environment.echo('/crash').catch(() => undefined)
    }
    expect(pids.size).toBe(3)
    await product.waitForLine('echo exits repeatedly: restarted 2 times')
    await product.waitForLine('redis sessions has exited')
    await eventually(() => expect([session, isLive(serverPids()[1])]).toEqual([session, true]))
    expect(serverPids()[1]).not.toBe(session)
    expect(await timedEnd(product, 'SIGINT')).toMatchObject({ code: 0 })
  })

  it('uses servers of the caller if configured, and kills a service that ignores SIGTERM', async () => {
    const { postgresUrl, redisSessionUrl, redisCacheUrl } = testInfra()
    const url = new URL(postgresUrl)
    url.pathname = `/start_${process.pid}`
    const given = {
      DATABASE_URL: url.href,
      REDIS_SESSION_URL: `${redisSessionUrl}/900`,
      REDIS_CACHE_URL: `${redisCacheUrl}/900`,
    }
    const product = await environment.startReady({
      env: { ...given, ECHO_MODE: 'ignores-sigterm' },
    })
    const seen = await environment.echo()
    expect(seen).toMatchObject(given)
    const exit = await timedEnd(product, 'SIGTERM')
    expect(exit).toMatchObject({ code: 0 })
    expect(exit.elapsedMs).toBeLessThan(10_000)
    expect(isLive(seen['pid'])).toBe(false)
  })

  it('reports which server of the caller is not reachable, without its password', async () => {
    const env = {
      REDIS_CACHE_URL: 'redis://:hidden@127.0.0.1:1',
      DATABASE_URL: 'postgres://x:hidden@127.0.0.1:1/x',
    }
    const lost = environment.start({ env })
    expect(await lost.exited).toMatchObject({ code: 1 })
    expect(lost.lines.join('\n')).toMatch(
      /✗ DATABASE_URL: 127\.0\.0\.1:1 is not reachable \(ECONNREFUSED\)/,
    )
    expect(lost.lines.join('\n')).not.toContain('hidden')
  })

  it('deletes earlier data with --fresh', async () => {
    const marks = ['postgres', 'redis-sessions'].map((name) =>
      join(environment.dataFolder, name, 'mark'),
    )
    for (const mark of marks) writeFileSync(mark, '')
    const earlier = await environment.startReady()
    expect(marks.map(existsSync)).toEqual([true, true])
    await earlier.kill('SIGTERM')
    const product = await environment.startReady({ args: ['--fresh'] })
    expect(marks.map(existsSync)).toEqual([false, false])
    await product.kill('SIGTERM')
  })
})
