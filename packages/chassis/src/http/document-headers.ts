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

const HEADERS = {
  'Cache-Control': text('Who may store the response, and for how long.', 'no-store'),
  'Content-Language': text('The language of the texts of the response.', 'fa-AF'),
  'Content-Disposition': text('The name of the file.', 'attachment; filename="stay.ics"'),
  ETag: text('The version of the content, for `If-Match` or `If-None-Match`.', '"3"'),
  'Idempotent-Replayed': text('`true`: the stored response of an earlier request.', 'true'),
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
  'Set-Cookie': text(
    'The cookie of a new or renewed session.',
    '__Host-tnt_id=…; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax',
  ),
  'X-Bootstrap-Version': text('May be sent with every later request.', '3.2'),
} as const

export type ResponseHeader = keyof typeof HEADERS

type Responses = Readonly<Record<string, object>>

/** Adds the headers of the route, and those that follow from the status and the key. */
export function withResponseHeaders(
  responses: Responses,
  { names, needsKey }: { readonly names: readonly ResponseHeader[]; readonly needsKey: boolean },
): Responses {
  const ofSuccess: ResponseHeader[] = needsKey ? [...names, 'Idempotent-Replayed'] : [...names]
  const namesOf = (status: string): ResponseHeader[] => {
    if (status === '202') return [...names, 'Retry-After']
    return status.startsWith('2') || status === '304' ? ofSuccess : []
  }
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const headers = headersOf(namesOf(status))
      return [status, { ...response, ...(headers !== null && { headers }) }]
    }),
  )
}

/** `Retry-After` where a code of the status has one. */
export function problemHeaders(codes: readonly ProblemCode[]): { headers?: object } {
  const isTimed = codes.some((code) => PROBLEMS[code].retryAfterSeconds !== undefined)
  const headers = isTimed ? headersOf(['Retry-After']) : null
  return headers === null ? {} : { headers }
}

function headersOf(names: readonly ResponseHeader[]): object | null {
  if (names.length === 0) return null
  return Object.fromEntries(names.map((name) => [name, HEADERS[name]]))
}
