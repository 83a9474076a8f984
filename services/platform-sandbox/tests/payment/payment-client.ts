import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CurrencyCode, newId, type TenantId } from '@melmastoon/domain'
import { verifyWebhook, webhookKeys } from '@melmastoon/security'
import type { InputOf } from '@melmastoon/upstream-contracts'
import {
  type Intent,
  type PaymentWebhook,
  paymentContract,
} from '@melmastoon/upstream-contracts/payment'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import {
  type ClientOptions,
  clientFor,
  send,
  type TestResponse,
  WEBHOOK_SECRET,
} from '../start-sandbox.ts'

type Operations = (typeof paymentContract)['operations']
export type CreateBody = InputOf<Operations['createIntent']>['body']

const RETURN_URL = 'https://hotel.example/back?step=pay'

/** A key that no other test uses. */
export const newKey = () => newId('req')

const policies = {
  privacy: { default: 'p' },
  terms: { default: 't' },
  accessibility: { default: 'a' },
}

type Methods = ('card' | 'cash_on_arrival' | 'mobile_money')[]
const ALL_METHODS: Methods = ['card', 'cash_on_arrival', 'mobile_money']

export function hotelBody(paymentMethods: Methods = ALL_METHODS) {
  return {
    slug: `hotel-${newId('req').slice(-12).toLowerCase()}`,
    legalName: 'Test Hotel',
    displayName: { default: 'Test Hotel' },
    country: 'AF',
    region: 'asia-south1',
    config: {
      timeZone: 'Asia/Kabul',
      locales: ['en' as const],
      defaultLocale: 'en' as const,
      currencies: ['AFN' as const],
      primaryCurrency: 'AFN' as const,
      paymentMethods,
      paymentEnabled: paymentMethods.length > 0,
      checkInTime: '14:00',
      checkOutTime: '11:00',
      policies,
    },
  }
}

export async function openHotel(url: string, paymentMethods = ALL_METHODS): Promise<TenantId> {
  const tenants = clientFor(tenantContract, url)
  const body = hotelBody(paymentMethods)
  const tenant = await tenants.createTenant({ body }, { idempotencyKey: newKey() })
  return tenant.tenantId
}

export function money(amountMinor: number, currency: CurrencyCode = 'AFN') {
  return { amountMicro: String(BigInt(amountMinor) * 10_000n), currency }
}

export function cardBody(more: Partial<CreateBody> = {}): CreateBody {
  return {
    draftRef: newId('bdr'),
    method: 'card',
    amount: money(123_400),
    captureMode: 'automatic',
    returnUrl: RETURN_URL,
    ...more,
  }
}

/** The payments of one hotel, called like by its booking service. */
export function paymentClientOf(url: string, tenantId: TenantId, options: ClientOptions = {}) {
  const client = clientFor(paymentContract, url, options)
  const once = () => ({ tenantId, idempotencyKey: newKey() })
  const idOf = ({ paymentIntentId }: Pick<Intent, 'paymentIntentId'>) => ({ paymentIntentId })
  type Ref = Pick<Intent, 'paymentIntentId'>
  return {
    client,
    create: (body: CreateBody, key: string = newKey()) =>
      client.createIntent({ body }, { tenantId, idempotencyKey: key }),
    get: (intent: Ref) => client.getIntent({ params: idOf(intent) }, { tenantId }),
    byKey: (key: string) => client.getByKey({ params: { key } }, { tenantId }),
    capture: (intent: Ref, amountMinor?: number) =>
      client.captureIntent(
        {
          params: idOf(intent),
          body: amountMinor === undefined ? {} : { amount: money(amountMinor) },
        },
        once(),
      ),
    cancel: (intent: Ref) =>
      client.cancelIntent({ params: idOf(intent), body: { reasonCode: 'guest_left' } }, once()),
    receiveCash: (intent: Ref) => client.confirmCash({ params: idOf(intent), body: {} }, once()),
    refund: (intent: Ref, amountMinor: number) =>
      client.createRefund(
        {
          params: idOf(intent),
          body: { amount: money(amountMinor), reasonCode: 'guest_request' },
        },
        once(),
      ),
    refunds: async (intent: Ref) =>
      (await client.listRefunds({ params: idOf(intent) }, { tenantId })).refunds,
    methods: async () => (await client.listMethods({}, { tenantId })).methods,
  }
}

export type PaymentClient = ReturnType<typeof paymentClientOf>

/** The path of the page on this sandbox, whatever its public URL. */
export function pagePath(intent: Intent): string {
  if (intent.nextAction?.kind !== 'redirect') throw new Error(`no page: ${intent.status}`)
  const { pathname, search } = new URL(intent.nextAction.url)
  return pathname + search
}

export async function press(
  url: string,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<TestResponse> {
  const page = new URL(path, url)
  const cs = page.searchParams.get('cs') ?? ''
  return await send(url, 'POST', page.pathname, { form: { cs, ...form } })
}

export interface ReceivedWebhook extends PaymentWebhook {
  readonly raw: string
  readonly keyId: string
}

const NO_RESPONSE = 0

/** A webhook receiver that verifies signatures and stores webhooks in order of arrival. */
export async function startWebhookReceiver(
  options: { status?: (count: number) => number | Promise<number> } = {},
) {
  const { status: statusOf = () => 204 } = options
  const keys = webhookKeys(WEBHOOK_SECRET)
  const received: ReceivedWebhook[] = []
  let count = 0
  const server = createServer((request, response) => {
    void readAll(request).then(async (raw) => {
      count += 1
      const status = await statusOf(count)
      if (status === NO_RESPONSE) return
      if (status < 300) {
        const header = request.headers['melmastoon-signature']
        const { keyId } = verifyWebhook(keys, { header, body: raw }, new Date())
        received.push({ ...(JSON.parse(raw) as PaymentWebhook), raw, keyId })
      }
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks/payments`,
    received,
    requestCount: () => count,
    of: ({ paymentIntentId }: Pick<Intent, 'paymentIntentId'>) =>
      received.filter((arrival) => arrival.data.intent.paymentIntentId === paymentIntentId),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
