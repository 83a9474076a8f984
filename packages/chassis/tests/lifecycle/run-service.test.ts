import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type SpawnedProcess, spawnProcess } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'

const entry = new URL('./stoppable-service.ts', import.meta.url)

async function startService(args: string[] = []): Promise<{ child: SpawnedProcess; port: number }> {
  const child = spawnProcess(entry, { args })
  const line = await child.waitForLine(/^listening \d+$/)
  return { child, port: Number(line.split(' ')[1]) }
}

interface HttpResult {
  status: number | null
  error?: string
  leave: boolean
}

function fetchFrom(port: number, path: string, agent?: Agent): Promise<HttpResult> {
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ status: null, error: error.message, leave: true })
    const request = get({ host: '127.0.0.1', port, path, ...(agent && { agent }) }, (response) => {
      const leave = response.headers.connection === 'close'
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, leave }))
      response.on('error', fail)
    })
    request.on('error', fail)
  })
}

/** Sends requests until a stopping service closes the connection, as a load balancer would. */
async function requestUntilStopping(port: number, load: { agent: Agent; stopping: boolean }) {
  const results: HttpResult[] = []
  for (;;) {
    const result = await fetchFrom(port, '/fast', load.agent)
    results.push(result)
    if (result.leave && load.stopping) return results
  }
}

describe('shutdown', () => {
  it('ECO-12 fails no accepted request under load, with slow and idle connections', async () => {
    const { child, port } = await startService()
    await using _ = child
    const load = { agent: new Agent({ keepAlive: true, maxSockets: 8 }), stopping: false }
    const clients = Array.from({ length: 8 }, () => requestUntilStopping(port, load))
    const idle = connect(port, '127.0.0.1')
    const idleClosed = new Promise((resolve) => idle.once('close', resolve))
    const slow = Array.from({ length: 5 }, () => fetchFrom(port, '/slow'))
    await delay(300)

    const startedMs = performance.now()
    load.stopping = true
    const exit = await child.kill('SIGTERM')
    const tookMs = performance.now() - startedMs
    const results = (await Promise.all(clients)).flat()
    await idleClosed
    load.agent.destroy()

    expect(exit).toEqual({ code: 0, signal: null })
    expect(tookMs).toBeLessThan(9000)
    expect(results.length).toBeGreaterThan(50)
    expect(results.filter(({ status }) => status !== 200)).toEqual([])
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(child.lines).toContain('pools closed')
  })

  it('is not ready while it drains', async () => {
    const { child, port } = await startService()
    await using _ = child
    const agent = new Agent({ keepAlive: true })
    expect(await fetchFrom(port, '/health/ready', agent)).toMatchObject({ status: 200 })
    const exited = child.kill('SIGTERM')
    await child.waitForLine('service stopping')
    expect(await fetchFrom(port, '/health/ready', agent)).toMatchObject({ status: 503 })
    expect((await exited).code).toBe(0)
    agent.destroy()
  })

  it('aborts requests that do not end in time and still closes the pools', async () => {
    const { child, port } = await startService(['1200'])
    await using _ = child
    const stuck = fetchFrom(port, '/stuck')
    await delay(200)
    const startedMs = performance.now()
    const exit = await child.kill('SIGTERM')
    expect(performance.now() - startedMs).toBeLessThan(6000)
    expect(exit.code).toBe(1)
    expect((await stuck).status).toBeNull()
    expect(child.lines.join('\n')).toMatch(/"outcome":"timeout","phase":"http"/)
    expect(child.lines).toContain('pools closed')
  })

  it('exits immediately on a second signal', async () => {
    const { child, port } = await startService()
    await using _ = child
    void fetchFrom(port, '/stuck')
    await delay(200)
    void child.kill('SIGTERM')
    await child.waitForLine('service stopping')
    const startedMs = performance.now()
    expect((await child.kill('SIGTERM')).code).toBe(1)
    expect(performance.now() - startedMs).toBeLessThan(4000)
  })

  it('turns an unhandled rejection into one log line and exit 1', async () => {
    const { child, port } = await startService()
    await using _ = child
    await fetchFrom(port, '/reject')
    expect((await child.exited).code).toBe(1)
    const fatal = child.lines.filter((line) => line.includes('"severity":"CRITICAL"'))
    expect(fatal).toHaveLength(1)
    expect(fatal[0]).toContain('unhandledRejection')
  })

  it('ECO-14 exits 78 and prints every problem, never a value', async () => {
    await using child = spawnProcess(new URL('./misconfigured-service.ts', import.meta.url))
    expect((await child.exited).code).toBe(78)
    const output = child.lines.join('\n')
    expect(output).toMatch(/WORKERS: .*\n.*PEPPER: /)
    expect(output).not.toContain('canary')
  })
})
