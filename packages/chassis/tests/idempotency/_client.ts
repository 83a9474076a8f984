import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { newId } from '@melmastoon/domain'

export interface Sent {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly bytes: Buffer
  readonly replayed: boolean
  /** The problem code, or undefined. */
  readonly code: string | undefined
}

export interface Sending {
  readonly method?: string
  readonly path?: string
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export function newKey(): string {
  return randomUUID()
}

/** One guest of one tenant, with the headers that a browser sends with every request. */
export class Guest {
  readonly base: string
  readonly tenant: string
  readonly session: string

  constructor(base: string, tenant: string = newId('tnt'), session: string = newId('gms')) {
    this.base = base
    this.tenant = tenant
    this.session = session
  }

  at(base: string): Guest {
    return new Guest(base, this.tenant, this.session)
  }

  async send(sending: Sending): Promise<Sent> {
    const { method = 'POST', path = '/notes', key, headers = {}, signal } = sending
    const body = sending.body ?? { text: 'hello' }
    const response = await fetch(this.base + path, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-tenant': this.tenant,
        'x-session': this.session,
        ...(key !== undefined && { 'idempotency-key': key }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal && { signal }),
    })
    return describe(response)
  }

  /** Header lines exactly as given, which fetch would join or reject. */
  sendLines(lines: readonly string[]): Promise<{ status: number; text: string }> {
    const extra = ['Idempotency-Key'].flatMap((name) => lines.flatMap((line) => [name, line]))
    const own = ['Content-Type', 'application/json', 'X-Tenant', this.tenant, 'X-Session']
    return new Promise((resolve, reject) => {
      const headers = [...own, this.session, 'Host', new URL(this.base).host, ...extra]
      const request = httpRequest(`${this.base}/notes`, { method: 'POST', headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece: string) => {
          text += piece
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      request.on('error', reject)
      request.end('{"text":"hello"}')
    })
  }
}

async function describe(response: Response): Promise<Sent> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString('utf8')
  const headers = Object.fromEntries(response.headers)
  const isProblem = headers['content-type']?.startsWith('application/problem+json')
  const code = isProblem ? (JSON.parse(text) as { code: string }).code : undefined
  const replayed = headers['idempotent-replayed'] === 'true'
  return { status: response.status, headers, text, bytes, replayed, code }
}
