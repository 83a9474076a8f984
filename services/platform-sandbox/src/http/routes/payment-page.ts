import { type EventSource, eventCause } from '@melmastoon/chassis/http'
import {
  isId,
  isProblem,
  type Locale,
  matchLocale,
  negotiateLocale,
  problem,
} from '@melmastoon/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  PAGE_ACTIONS,
  PAGE_STYLE,
  type PageAction,
  type PageLink,
  type PaymentModule,
  renderNotFound,
  renderPage,
} from '../../modules/payment/module.ts'
import { acceptForms } from '../page.ts'
import { sendPaymentPage } from './payment-page-reply.ts'

const SECRET_CHARS_MAX = 64
const DAY_SECONDS = 86_400

const Address = Type.Object({
  tenantId: Type.String({ maxLength: 40 }),
  paymentIntentId: Type.String({ maxLength: 40 }),
})
const Shown = Type.Object(
  {
    cs: Type.Optional(Type.String({ maxLength: SECRET_CHARS_MAX })),
    lang: Type.Optional(Type.String({ maxLength: 35 })),
  },
  { additionalProperties: true },
)
const Pressed = Type.Object({
  cs: Type.String({ maxLength: SECRET_CHARS_MAX }),
  lang: Type.Optional(Type.String({ maxLength: 35 })),
  action: Type.Enum([...PAGE_ACTIONS]),
  card: Type.Optional(Type.String({ pattern: '^tok_[a-z0-9_]{1,60}$' })),
  webhook: Type.Optional(Type.String({ pattern: '^(_webhook_[a-z]{1,12})?$' })),
})

interface Params {
  tenantId: string
  paymentIntentId: string
}

interface Form {
  cs: string
  lang?: string
  action: PageAction
  card?: string
  webhook?: string
}

export interface PaymentPageOptions {
  readonly payment: Pick<PaymentModule, 'page'>
  readonly source: EventSource
}

/** The payment page of the provider, where the payer chooses the outcome. */
export async function paymentPage(
  app: FastifyInstance,
  { payment, source }: PaymentPageOptions,
): Promise<void> {
  const { page } = payment
  const url = '/pay/:tenantId/:paymentIntentId'
  acceptForms(app)

  app.get('/pay/style.css', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('content-type', 'text/css; charset=utf-8')
      .header('cache-control', `public, max-age=${DAY_SECONDS}`)
      .send(PAGE_STYLE),
  )

  app.get<{ Params: Params; Querystring: Partial<Form> }>(
    url,
    {
      config: { operation: 'payment.page.show' },
      schema: { hide: true, params: Address, querystring: Shown },
    },
    async (request, reply) => {
      const { cs: secret = '', lang } = request.query
      const locale = localeOf(request, lang)
      return await orNotFound(reply, locale, async () => {
        const intent = await page.open(linkOf(request.params, secret))
        const content = renderPage({ intent, locale, secret })
        return sendPaymentPage(reply, { content, status: 200, returnUrl: intent.returnUrl })
      })
    },
  )

  app.post<{ Params: Params; Body: Form }>(
    url,
    {
      config: { operation: 'payment.page.answer' },
      schema: { hide: true, params: Address, body: Pressed },
    },
    async (request, reply) => {
      const { cs: secret, lang, action, webhook = '' } = request.body
      const card = request.body.card && request.body.card + webhook
      const locale = localeOf(request, lang)
      return await orNotFound(reply, locale, async () => {
        const link = linkOf(request.params, secret)
        const cause = eventCause(source, request, { tenantId: link.tenantId })
        const outcome = await page.submit(link, { action, card, cause })
        const target = outcome.kind === 'return' ? outcome.url : ownAddress(link, locale)
        return reply.header('cache-control', 'no-store').redirect(target, 303)
      })
    },
  )
}

/** A wrong link, a wrong secret and a payment of another tenant return the same response. */
async function orNotFound(
  reply: FastifyReply,
  locale: Locale,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!isProblem(error) || error.status !== 404) throw error
    return sendPaymentPage(reply, { content: renderNotFound(locale), status: 404, returnUrl: null })
  }
}

function linkOf({ tenantId, paymentIntentId }: Params, secret: string): PageLink {
  if (isId('tnt', tenantId) && isId('pyi', paymentIntentId)) {
    return { tenantId, paymentIntentId, secret }
  }
  throw problem('MELMASTOON.PAYMENT.INTENT_NOT_FOUND')
}

function ownAddress({ tenantId, paymentIntentId, secret }: PageLink, locale: Locale): string {
  const query = new URLSearchParams({ cs: secret, lang: locale })
  return `/pay/${tenantId}/${paymentIntentId}?${query.toString()}`
}

function localeOf(request: FastifyRequest, lang: string | undefined): Locale {
  const matched = lang === undefined ? undefined : matchLocale(lang)
  return matched ?? negotiateLocale(request.headers['accept-language'])
}
