import type { FastifyReply } from 'fastify'
import type { Html } from '../../page/html.ts'
import { PAGE_HEADERS } from '../page.ts'

interface PaymentPage {
  readonly content: Html
  readonly status: number
  readonly returnUrl: string | null
}

/**
 * Browsers apply `form-action` also to redirects after a form, so it includes the return URL of the
 * payer. The referrer policy stays same-origin, because older browsers would otherwise send the
 * form without an origin.
 */
export function sendPaymentPage(reply: FastifyReply, page: PaymentPage): FastifyReply {
  const { content, status, returnUrl } = page
  const back = returnUrl === null ? '' : ` ${new URL(returnUrl).origin}`
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `form-action 'self'${back}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return reply
    .code(status)
    .headers({
      ...PAGE_HEADERS,
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    })
    .send(`<!doctype html>\n${content.toString()}`)
}
