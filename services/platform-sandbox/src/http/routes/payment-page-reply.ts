import type { FastifyReply } from 'fastify'
import type { Html } from '../../page/html.ts'
import { PAGE_HEADERS } from '../page.ts'

interface PaymentPage {
  readonly content: Html
  readonly status: number
  readonly returnUrl: string | null
}

/**
 * Browsers hold `form-action` against redirects after a form as well, so it names where the payer
 * goes back to. Referrers stay within, or older browsers would send the form without an origin.
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
