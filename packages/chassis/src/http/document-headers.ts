import { PROBLEMS, type ProblemCode } from '@melmastoon/domain'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For the document only: headers of successful responses. */
    responseHeaders?: readonly ResponseHeader[]
  }
}

const text = (description: string, example: string) => ({
  type: 'string',
  description,
  examples: [example],
})

const cookie = (name: string) =>
  `${name}=…; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax`

const HEADERS = {
  Age: {
    type: 'integer',
    minimum: 0,
    description: 'Seconds since the response was composed.',
    examples: [12],
  },
  'Cache-Control': text('Who may store the response, and for how long.', 'no-store'),
  'Content-Language': text('The language of the texts of the response.', 'fa-AF'),
  'Content-Disposition': text('The name of the file.', 'attachment; filename="stay.ics"'),
  ETag: text('The version of the content, for `If-Match` or `If-None-Match`.', '"3"'),
  'DPoP-Nonce': text('The nonce of the next proof (RFC 9449 §8.2).', 'kXx0mK3bq1xJ0u9c'),
  'Idempotent-Replayed': text('`true`: the stored response of an earlier request.', 'true'),
  Location: text('The state of what was accepted, relative to the request.', '../actions/lap_…'),
  RateLimit: text(
    'The nearest limit, what remains of it, seconds until reset.',
    '"read";r=599;t=1',
  ),
  'RateLimit-Policy': text('Its quota, and the seconds of its window.', '"read";q=600;w=60'),
  'Retry-After': {
    type: 'integer',
    minimum: 0,
    description: 'Seconds until the same request should be repeated.',
    examples: [2],
  },
  'Set-Cookie': text('The cookie of a new or renewed session.', cookie('__Host-tnt_id')),
  Vary: text('The request headers that select the response.', 'Accept-Language, X-Currency'),
  'WWW-Authenticate': text(
    'What is wrong with the credentials, and the algorithms of proofs (RFC 9449 §7.1).',
    'DPoP error="use_dpop_nonce", algs="ES256 EdDSA Ed25519 RS256"',
  ),
  'X-Cache': {
    type: 'string',
    enum: ['HIT', 'STALE', 'MISS', 'BYPASS'],
    description: 'Whether the response comes from the cache of the service.',
    examples: ['HIT'],
  },
  'X-Search-Session': text(
    'The id of the search, for telemetry.',
    'srs_01M7H3MABW89VYKV7A93W1P9A3',
  ),
  'X-Bootstrap-Version': text('May be sent with every later request.', '3.2'),
} as const

export type ResponseHeader = keyof typeof HEADERS

type Responses = Readonly<Record<string, object>>

export interface SentHeaders {
  readonly names: readonly ResponseHeader[]
  readonly needsKey: boolean
  /** Of the session, where the service has one. */
  readonly cookieName?: string | undefined
}

/** Adds the headers of the route, and those that follow from the status and the key. */
export function withResponseHeaders(
  responses: Responses,
  { names, needsKey, cookieName }: SentHeaders,
): Responses {
  const ofSuccess: ResponseHeader[] = needsKey ? [...names, 'Idempotent-Replayed'] : [...names]
  const namesOf = (status: string): ResponseHeader[] => {
    if (status === '202') return [...names, 'Retry-After']
    return status.startsWith('2') || status === '304' ? ofSuccess : []
  }
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const headers = headersOf(namesOf(status), cookieName)
      return [status, { ...response, ...(headers !== null && { headers }) }]
    }),
  )
}

/** Adds those that a service sends with every response of a status. */
export function withCommonHeaders(
  responses: Responses,
  namesOf: (status: string) => readonly ResponseHeader[],
): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const common = headersOf(namesOf(status))
      const { headers } = response as { readonly headers?: object }
      return [
        status,
        common === null ? response : { ...response, headers: { ...headers, ...common } },
      ]
    }),
  )
}

/** `Retry-After` where a code of the status has one. */
export function problemHeaders(codes: readonly ProblemCode[]): { headers?: object } {
  const isTimed = codes.some((code) => PROBLEMS[code].retryAfterSeconds !== undefined)
  const headers = isTimed ? headersOf(['Retry-After']) : null
  return headers === null ? {} : { headers }
}

function headersOf(names: readonly ResponseHeader[], cookieName?: string): object | null {
  if (names.length === 0) return null
  const documented = names.map((name) => {
    const isCookie = name === 'Set-Cookie' && cookieName !== undefined
    return [name, isCookie ? { ...HEADERS[name], examples: [cookie(cookieName)] } : HEADERS[name]]
  })
  return Object.fromEntries(documented)
}
