import { renderCookie } from '@melmastoon/chassis/http'
import type { FastifyReply } from 'fastify'
import { COOKIE_NAME, SESSION_TTL_SECONDS } from '../sessions/guest-session.ts'

export function setSessionCookie(reply: FastifyReply, cookieValue: string): void {
  const cookie = renderCookie(COOKIE_NAME, cookieValue, { maxAgeSeconds: SESSION_TTL_SECONDS })
  reply.header('set-cookie', cookie)
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', renderCookie(COOKIE_NAME, '', { maxAgeSeconds: 0 }))
}
