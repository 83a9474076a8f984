import { request } from 'node:http'

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
}

export interface Exchanged {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One request as it is given: nothing is added, decoded or followed. */
export function exchange(url: string, { method, path, headers = {}, body }: Sent) {
  return new Promise<Exchanged>((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers: { ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const lines = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(lines) as Record<string, string>,
          body: Buffer.concat(chunks).toString('latin1'),
        })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** `name=value` of the cookie that a response sets, as a browser sends it back. */
export function cookieSetBy({ headers }: Exchanged): string | undefined {
  return headers['set-cookie']?.split(';')[0]
}

const IDS = /\b([a-z]+(?:_[a-z]+)?)_[0-9A-HJKMNP-TV-Z]{26}\b/g
const SECRETS = /\.s?\d\.[\w-]{43}/g
/** Which of several limits is the tightest depends on when their tokens were drawn. */
const LIMITS = /"[a-z-]+";(r=\d+;t=\d+|q=\d+;w=\d+)/g
/** Ids of the world, which all requests have in common. */
const SHARED_IDS = new Set(['ppt', 'tnt', 'rmt', 'rate', 'fxs'])

/**
 * Without what differs between two requests: ids, traces, dates, ages and counts.
 * @param ownMembers of the body, with texts as values.
 */
export function comparable(
  { status, headers, body }: Exchanged,
  ownMembers: readonly string[] = [],
): Exchanged {
  const { date: _date, age: _age, ...others } = headers
  const named = Object.entries(others).map(([name, value]) => [name, withoutIds(value)])
  const own = new RegExp(`"(${['traceId', ...ownMembers].join('|')})":"[^"]*"`, 'g')
  return {
    status,
    headers: Object.fromEntries(named) as Record<string, string>,
    body: withoutIds(body).replaceAll(own, '"$1":"…"'),
  }
}

function withoutIds(text: string): string {
  return text
    .replaceAll(SECRETS, '.…')
    .replaceAll(LIMITS, '"…";…')
    .replaceAll(IDS, (id, prefix: string) => (SHARED_IDS.has(prefix) ? id : `${prefix}_…`))
}
