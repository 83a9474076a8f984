import { newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { cookieOf, post, sessionIdOf, type TestResponse } from './start-consumer.ts'

type Sent = Readonly<Record<string, string>>

export async function get(url: string, path: string, headers: Sent = {}): Promise<TestResponse> {
  const startedMs = performance.now()
  const response = await fetch(new URL(`/bff/consumer/v1${path}`, url), { headers })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? (JSON.parse(text) as TestResponse['body']) : {},
    durationMs: performance.now() - startedMs,
  }
}

/** Changes something, with a key of its own unless one is given. */
export function change(url: string, path: string, json: unknown, headers: Sent = {}) {
  return post(url, path, { json, headers: { 'idempotency-key': newId('req'), ...headers } })
}

/**
 * A guest and what she can do with her own session, at any instance. On a busy machine she asks
 * for one again.
 */
export async function meetOwner(url: string, headers: Sent = {}, json: unknown = {}) {
  const cookie = await eventually(async () => {
    const started = await post(url, '/session', { json, headers })
    if (started.status !== 201) throw new Error(`no session: ${started.status} ${started.text}`)
    return cookieOf(started)
  })
  return {
    cookie,
    id: sessionIdOf(cookie),
    cookieValue: cookie.split('=')[1] ?? '',
    see: (at = url, more: Sent = {}) => get(at, '/session', { cookie, ...more }),
    set: (what: string, to: unknown, more: Sent = {}, at = url) =>
      change(at, `/session/${what}`, to, { cookie, ...more }),
    clear: (at = url) => post(at, '/session/clear', { headers: { cookie } }),
    search: (question: unknown, at = url, more: Sent = {}) =>
      post(at, '/search', { json: question, headers: { cookie, ...more } }),
  }
}

export type Owner = Awaited<ReturnType<typeof meetOwner>>
