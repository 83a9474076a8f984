import { type GuestSessionId, newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { cookieOf, get, post, type RunningConsumer, sessionIdOf } from './start-consumer.ts'

type Sent = Readonly<Record<string, string>>

/** Sends a mutation with a new idempotency key unless one is given. */
export function change(url: string, path: string, json: unknown, headers: Sent = {}) {
  return post(url, path, { json, headers: { 'idempotency-key': newId('req'), ...headers } })
}

/**
 * A session and the requests on it, at any instance. Starting it is retried, because a busy
 * machine may reject it at first.
 */
export async function startSessionClient(url: string, headers: Sent = {}, json: unknown = {}) {
  const cookie = await eventually(async () => {
    const started = await post(url, '/session', { json, headers })
    if (started.status !== 201) throw new Error(`no session: ${started.status} ${started.text}`)
    return cookieOf(started)
  })
  return {
    cookie,
    id: sessionIdOf(cookie),
    cookieValue: cookie.split('=')[1] ?? '',
    getSession: (at = url, more: Sent = {}) => get(at, '/session', { cookie, ...more }),
    change: (what: string, to: unknown, more: Sent = {}, at = url) =>
      change(at, `/session/${what}`, to, { cookie, ...more }),
    clear: (at = url) => post(at, '/session/clear', { headers: { cookie } }),
    search: (request: unknown, at = url, more: Sent = {}) =>
      post(at, '/search', { json: request, headers: { cookie, ...more } }),
  }
}

/** Where a search of a guest is stored. */
export function searchKeyOf(
  { ctx }: Pick<RunningConsumer, 'ctx'>,
  guest: GuestSessionId,
  search: string | null | undefined,
): string {
  return `bff-consumer-service:v1:search-session:${ctx.sessions.slotOf(guest)}:${search}`
}

export type SessionClient = Awaited<ReturnType<typeof startSessionClient>>
