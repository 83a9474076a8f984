import { renderCookie } from '@melmastoon/chassis/http'

/** The part of a Fastify reply that is used. */
export interface CookieReply {
  header(name: string, value: string): unknown
}

export interface SessionCookieOptions {
  readonly name: string
  readonly maxAgeSeconds: number
}

export function setSessionCookie(
  reply: CookieReply,
  value: string,
  { name, maxAgeSeconds }: SessionCookieOptions,
): void {
  reply.header('set-cookie', renderCookie(name, value, { maxAgeSeconds }))
}

export function clearSessionCookie(reply: CookieReply, name: string): void {
  reply.header('set-cookie', renderCookie(name, '', { maxAgeSeconds: 0 }))
}
