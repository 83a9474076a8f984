import { newId } from '@melmastoon/domain'
import { freePort } from '@melmastoon/one-machine'
import { eventually, spawnProcess } from '@melmastoon/testkit'
import { expect, it } from 'vitest'
import { disableSampling, eventNames, publishedEvents } from '../harness/published-events.ts'
import { startFixture } from '../harness/start-consumer.ts'
import {
  hotelsOf,
  sessionOf,
  startWishlistClient,
  storedWishes,
} from '../harness/wishlist-client.ts'

const ENTRY = new URL('../../src/main.ts', import.meta.url)

/** Both processes count changes in one bucket, so that its size must be the same. */
const CHANGE = { name: 'change', limit: 120, periodSeconds: 60 }

/** A second process of the same service, which crashes after it has committed a wish. */
async function startCrashingProcess(env: Record<string, string>) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawnProcess(ENTRY, {
    env: {
      ...env,
      PORT: String(port),
      NODE_ENV: 'test',
      MELMASTOON_CRASH_AT: 'wishlist.after_commit',
    },
  })
  await eventually(async () => expect((await fetch(`${url}/health/ready`)).status).toBe(200), {
    timeoutMs: 60_000,
  })
  return { ...child, url, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
}

it('C6 a crash between commit and session update is repaired by the next read', {
  timeout: 60_000,
}, async () => {
  await using fixture = await startFixture({ policies: { change: CHANGE } })
  await disableSampling(fixture)
  const guest = await startWishlistClient(fixture.service.url)
  const [first, second] = fixture.upstreams.hotels.map(({ propertyId }) => propertyId as string)
  if (first === undefined || second === undefined) throw new TypeError('too few hotels')
  await guest.add(first)
  await using doomed = await startCrashingProcess(fixture.environment.env)
  const key = newId('req')
  // On a busy machine a process that has just started rejects requests as overloaded.
  const addUntilCrash = async () => {
    for (;;) {
      const { status } = await guest.add(second, { key, at: doomed.url })
      if (status !== 503) throw new TypeError(`status ${status} instead of a crash`)
    }
  }
  await expect(addUntilCrash()).rejects.toThrow('fetch failed')
  expect(await doomed.exited).toMatchObject({ signal: 'SIGKILL' })

  expect(await storedWishes(fixture.environment, guest)).toEqual([first, second])
  expect(await sessionOf(fixture.service, guest)).toEqual([first])
  expect(hotelsOf(await guest.list())).toEqual([second, first])
  expect(await sessionOf(fixture.service, guest)).toEqual([first, second])

  const retried = await guest.add(second, { key })
  expect([retried.status, retried.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  const events = (await publishedEvents(fixture, guest.id)).filter(({ subject }) =>
    /wishlist/.test(subject),
  )
  expect(eventNames(events)).toEqual(['wishlist.added.v1', 'wishlist.added.v1'])
})
