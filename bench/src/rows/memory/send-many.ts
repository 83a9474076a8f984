import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { VISITOR } from '../search/queries.ts'
import type { ReadRequest } from './read-requests.ts'

const CONNECTIONS = 32
const ATTEMPTS_MAX = 20
const PAUSE_MS = 250
const SERVER_ERROR = 500

export interface Sending {
  readonly url: string
  readonly cookies: readonly string[]
  readonly requests: readonly ReadRequest[]
  readonly count: number
  /** Requests at once. */
  readonly connections?: number
}

/** Sends the given number of requests with fixed concurrency, by alternating guests. */
export async function sendMany(sending: Sending): Promise<void> {
  const { url, cookies, requests, count, connections = CONNECTIONS } = sending
  const pool = new Pool(url, { connections })
  let next = 0
  const sendOneByOne = async () => {
    while (next < count) {
      const turn = next
      next += 1
      const request = requests[turn % requests.length]
      if (request === undefined) throw new TypeError('no requests')
      await send(pool, request, cookies[turn % cookies.length] ?? '')
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, sendOneByOne))
  } finally {
    await pool.close()
  }
}

/** A request that timed out on a busy machine is sent again. */
async function send(pool: Pool, request: ReadRequest, cookie: string): Promise<void> {
  const { method, path, body = null } = request
  const json = body === null ? {} : { 'content-type': 'application/json' }
  const headers = { ...VISITOR, cookie, 'accept-encoding': 'gzip, br', ...json }
  for (let attempt = 1; ; attempt += 1) {
    const response = await pool.request({ method, path, headers, body })
    await response.body.dump()
    if (response.statusCode === 200) return
    if (response.statusCode <= SERVER_ERROR || attempt === ATTEMPTS_MAX) {
      throw new Error(`${path} responded ${response.statusCode}`)
    }
    await delay(PAUSE_MS)
  }
}
