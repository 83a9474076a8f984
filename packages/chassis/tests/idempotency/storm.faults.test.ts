import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Guest, newKey, type Sent } from './_client.ts'
import { allNotes } from './_database.ts'
import { type ServerProcess, type Site, startSite } from './_site.ts'

const KEYS = 300
const SENDS_PER_KEY = 20
const SERVERS = 3
const KILLS = 20
const LEASE_MS = 2_000

/** Replaces killed servers, so that their number stays constant. */
class Fleet {
  readonly #site: Site
  readonly #servers: ServerProcess[] = []

  constructor(site: Site) {
    this.#site = site
  }

  async start(): Promise<void> {
    for (let index = 0; index < SERVERS; index += 1) {
      this.#servers.push(await this.#site.spawn({ leaseMs: LEASE_MS }))
    }
  }

  pick(index: number): string {
    return this.#servers[index % this.#servers.length]?.base ?? this.#site.base
  }

  async killOne(index: number): Promise<void> {
    const victim = this.#servers[index % SERVERS]
    await sleep(50 + ((index * 37) % 400))
    await victim?.process.kill('SIGKILL')
    this.#servers[index % SERVERS] = await this.#site.spawn({ leaseMs: LEASE_MS })
  }
}

interface Persistent {
  readonly guest: Guest
  readonly key: string
  readonly seed: number
}

/** Retries until the response is final, as a client would: after a lost connection, 409 or 5xx. */
async function sendUntilDone(fleet: Fleet, { guest, key, seed }: Persistent): Promise<Sent> {
  for (let round = 0; round < 400; round += 1) {
    const sent = await guest
      .at(fleet.pick(seed + round))
      .send({ key })
      .catch(() => null)
    if (sent?.status === 201) return sent
    if (sent !== null && sent.status !== 409 && sent.status < 500) return sent
    await sleep(20 + ((seed * 13 + round * 7) % 200))
  }
  throw new Error('no final response')
}

it('executes every key once while servers are killed at random', async () => {
  await using site = await startSite()
  const fleet = new Fleet(site)
  await fleet.start()
  const guest = new Guest(site.base)
  const keys = Array.from({ length: KEYS }, newKey)
  let sending = true
  const killing = (async () => {
    for (let index = 0; index < KILLS && sending; index += 1) await fleet.killOne(index)
  })()
  for (let from = 0; from < KEYS; from += 10) {
    const wave = keys.slice(from, from + 10).map(async (key, offset) => {
      const sends = Array.from({ length: SENDS_PER_KEY }, (_, index) =>
        sendUntilDone(fleet, { guest, key, seed: from + offset + index }),
      )
      return new Set((await Promise.all(sends)).map(({ status, text }) => `${status} ${text}`))
    })
    for (const texts of await Promise.all(wave)) expect(texts.size).toBe(1)
  }
  sending = false
  await killing
  expect(await allNotes(site.fixture)).toHaveLength(KEYS)
  expect(site.upstream.holds.size).toBe(KEYS)
}, 1_800_000)
