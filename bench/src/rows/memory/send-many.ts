import { Pool } from 'undici'
import { VISITOR } from '../search/visitor.ts'
import type { ReadRequest } from './read-requests.ts'

const LANES = 32

export interface Sending {
  readonly url: string
  readonly cookies: readonly string[]
  readonly requests: readonly ReadRequest[]
  readonly count: number
}

/** So many requests, one after the other in each lane, by one guest after the other. */
export async function sendMany({ url, cookies, requests, count }: Sending): Promise<void> {
  const pool = new Pool(url, { connections: LANES })
  let next = 0
  const lane = async () => {
    while (next < count) {
      const turn = next
      next += 1
      const request = requests[turn % requests.length]
      if (request === undefined) throw new TypeError('nothing to ask')
      await send(pool, request, cookies[turn % cookies.length] ?? '')
    }
  }
  try {
    await Promise.all(Array.from({ length: LANES }, lane))
  } finally {
    await pool.close()
  }
}

async function send(pool: Pool, request: ReadRequest, cookie: string): Promise<void> {
  const { method, path, body = null } = request
  const json = body === null ? {} : { 'content-type': 'application/json' }
  const headers = { ...VISITOR, cookie, 'accept-encoding': 'gzip, br', ...json }
  const answer = await pool.request({ method, path, headers, body })
  await answer.body.dump()
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`)
}
