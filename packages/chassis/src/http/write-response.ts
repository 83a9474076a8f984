import type { FastifyReply } from 'fastify'

/** Names and values alternating. */
export type Head = (string | number | string[])[]

/** The headers set so far; those of the route win over those that every response has. */
export function headSoFar(reply: FastifyReply): Head {
  const head: Head = []
  const own = reply.getHeaders()
  for (const name in own) head.push(name, own[name] ?? '')
  const standard = reply.request.state?.head ?? []
  for (let at = 0; at < standard.length; at += 2) {
    const name = standard[at] ?? ''
    if (!(name in own)) head.push(name, standard[at + 1] ?? '')
  }
  return head
}

export interface RenderedResponse {
  readonly status: number
  readonly head: Head
  readonly bytes?: Buffer
}

/** Directly, bypassing Fastify's reply, which would double the cost of the response. */
export function writeResponse(
  reply: FastifyReply,
  { status, head, bytes }: RenderedResponse,
): void {
  reply.raw.writeHead(status, head)
  reply.hijack()
  reply.raw.end(reply.request.raw.method === 'HEAD' ? undefined : bytes)
}
