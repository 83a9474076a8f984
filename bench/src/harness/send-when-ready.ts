import { setTimeout as delay } from 'node:timers/promises'
import { type Reply, type Sent, sendOne } from './http-load.ts'

const TRIES_MAX = 40
const PAUSE_MS = 250

/** The first requests to a started service may exceed its time limits on a busy machine. */
export async function sendWhenReady(sent: Sent): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await sendOne(sent)
    } catch (error) {
      if (tries === TRIES_MAX) throw error
      await delay(PAUSE_MS)
    }
  }
}

/** The cookie of a session that the response starts. */
export function startedSession({ headers }: Reply): string {
  const [cookie = ''] = [headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0])
  if (cookie === '') throw new Error('no session was started')
  return cookie
}
