import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '@melmastoon/domain'
import { freePort } from '@melmastoon/one-machine'
import { type SpawnedProcess, spawnProcess } from '@melmastoon/testkit'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ABOUT_NOTES,
  createGuest,
  type ExampleEnvironment,
  exampleEnvironment,
  type Guest,
  send,
} from './start-example.ts'

/**
 * The whole service as a process, killed with SIGKILL at each crash point and started again.
 * Confirmed effects persist; the retry completes an unconfirmed one exactly once.
 */
const ENTRY = new URL('../../src/example-service/main.ts', import.meta.url)

export function describeCrashes(points: readonly string[]): void {
  describe.each(points)('SIGKILL at %s', (point) => {
    let environment: ExampleEnvironment

    beforeAll(async () => {
      environment = await exampleEnvironment()
    })
    afterAll(() => environment[Symbol.asyncDispose]())

    it('loses nothing and does nothing twice', { timeout: 90_000 }, async () => {
      await surviveCrash(environment, point)
    })
  })
}

async function surviveCrash(environment: ExampleEnvironment, point: string): Promise<void> {
  const port = await freePort()
  const first = startProcess(environment, port, point)
  const guest = await createGuest(await ready(port))
  const journey = takeJourney(guest)
  expect(await first.exited).toMatchObject({ signal: 'SIGKILL' })

  await using _second = startProcess(environment, port)
  const { noteId, reservationRef } = await journey
  expect([...environment.upstream.reservations.values()]).toEqual([reservationRef])
  expect(await environment.countRows('notes')).toBe(1)
  await expect.poll(() => environment.countRows('outbox'), { timeout: 30_000 }).toBe(0)
  await expect.poll(() => readPlaced(environment), { timeout: 30_000 }).toBe(1)
  expect(await environment.countRows('outbox_published', ABOUT_NOTES)).toBe(2)
  const listed = await retryUntilResponse(guest, 'GET', '/example/v1/:tenantId/notes')
  expect(listed['notes']).toMatchObject([{ noteId, reservationRef }])
}

/** Each request is repeated with its key until it gets a response. */
async function takeJourney(guest: Guest) {
  const placed = await retryUntilResponse(guest, 'POST', '/example/v1/:tenantId/notes', {
    text: 'x',
  })
  const noteId = String(placed['noteId'])
  const path = `/example/v1/:tenantId/notes/${noteId}/reserve`
  const reserved = await retryUntilResponse(guest, 'POST', path, {})
  return { noteId, reservationRef: String(reserved['reservationRef']) }
}

async function retryUntilResponse(guest: Guest, method: string, path: string, json?: unknown) {
  const key = newId('req')
  for (let tries = 0; tries < 300; tries += 1) {
    const response = await guest.send(method, path, { key, json }).catch(() => null)
    if (response !== null && response.status < 300) return response.body
    await delay(100)
  }
  throw new Error(`no response to ${path}`)
}

/** With short leases, because the test has to wait until they expire. */
function startProcess(
  environment: ExampleEnvironment,
  port: number,
  crashAt?: string,
): SpawnedProcess {
  return spawnProcess(ENTRY, {
    env: {
      ...environment.env,
      PORT: String(port),
      RELAY_LEASE_SECONDS: '1',
      ACK_DEADLINE: '1s',
      NODE_ENV: 'test',
      ...(crashAt !== undefined && { MELMASTOON_CRASH_AT: crashAt }),
    },
  })
}

async function ready(port: number): Promise<string> {
  const url = `http://127.0.0.1:${port}`
  const isReady = async () => (await send(url, 'GET', '/health/ready').catch(() => null))?.status
  await expect.poll(isReady, { timeout: 20_000, interval: 50 }).toBe(200)
  return url
}

async function readPlaced(environment: ExampleEnvironment): Promise<number> {
  const client = new Client({ connectionString: environment.adminUrl })
  await client.connect()
  try {
    const { rows } = await client.query(
      'select coalesce(sum(placed), 0)::int as n from example.note_counts',
    )
    return (rows[0] as { n: number }).n
  } finally {
    await client.end()
  }
}
