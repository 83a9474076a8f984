import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  sandboxEnvironment,
  send,
  spawnSandbox,
  startSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'

describe('starting the sandbox', () => {
  let environment: TestEnvironment

  beforeAll(async () => {
    environment = await sandboxEnvironment()
  })
  afterAll(() => environment[Symbol.asyncDispose]())

  it('is alive and ready in this process', async () => {
    await using sandbox = await startSandbox(environment)
    expect((await send(sandbox.url, 'GET', '/health/live')).status).toBe(200)
    expect((await send(sandbox.url, 'GET', '/health/ready')).status).toBe(200)
  })

  it('runs as a process and stops cleanly on SIGTERM', { timeout: 120_000 }, async () => {
    await using sandbox = await spawnSandbox(environment)
    expect((await send(sandbox.url, 'GET', '/health/live')).status).toBe(200)
    expect(await sandbox.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})
