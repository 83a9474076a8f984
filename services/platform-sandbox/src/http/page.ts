import { SECURITY_HEADERS } from '@melmastoon/chassis/http'
import { problem } from '@melmastoon/domain'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Html } from '../page/html.ts'

/** Scripts and styles are separate files, never inline; framing is forbidden. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

export function sendPage(reply: FastifyReply, page: Html, status = 200): FastifyReply {
  return reply.code(status).headers(PAGE_HEADERS).send(`<!doctype html>\n${page.toString()}`)
}

const FORM_BYTES_MAX = 8 * 1024
const FIELDS_MAX = 50

/**
 * Lets the routes of this scope, and no others, read HTML form bodies as objects of strings. The
 * cross-site guard of mutating routes verifies the origin of the form.
 */
export function acceptForms(scope: FastifyInstance): void {
  const options = { parseAs: 'string', bodyLimit: FORM_BYTES_MAX } as const
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    options,
    async (_request: unknown, body: string) => readForm(body),
  )
}

function readForm(body: string): Record<string, string> {
  const fields = new URLSearchParams(body)
  if (fields.size > FIELDS_MAX) throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED')
  return Object.fromEntries(fields)
}
