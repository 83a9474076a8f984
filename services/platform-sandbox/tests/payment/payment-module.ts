import { systemClock } from '@melmastoon/chassis/clock'
import { buildContext } from '@melmastoon/chassis/service'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { newId, type TenantId } from '@melmastoon/domain'
import type { Intent } from '@melmastoon/upstream-contracts/payment'
import type { PageAction, PaymentModule } from '../../src/modules/payment/module.ts'
import type { TenantModule } from '../../src/modules/tenant/module.ts'
import { service } from '../../src/service.ts'
import type { TestEnvironment } from '../start-sandbox.ts'
import { type CreateBody, hotelBody, money, newKey } from './payment-client.ts'

export type Ref = Pick<Intent, 'paymentIntentId'>

/** The module without a server: for thousands of calls. */
export async function openPaymentModule(
  environment: TestEnvironment,
  env: Readonly<Record<string, string>> = {},
) {
  const ctx = buildContext(service, service.config.read({ ...environment.env, ...env }), {})
  const { tenant, payment } = ctx.modules
  return {
    ctx,
    ...operationsOf(payment, await openTenant(tenant)),
    [Symbol.asyncDispose]: () => ctx[Symbol.asyncDispose](),
  }
}

export type OpenPaymentModule = Awaited<ReturnType<typeof openPaymentModule>>

/** The same operations on any build of the module. */
export function operationsOf(payment: PaymentModule, tenantId: TenantId) {
  const { handlers, page } = payment
  const call = (key = newKey()) => ({ ...callIn(tenantId), key, finish: withoutStoring })
  return {
    payment,
    tenantId,
    create: (body: CreateBody) => handlers.createIntent({ body }, call()),
    get: ({ paymentIntentId }: Ref) =>
      handlers.getIntent({ params: { paymentIntentId } }, callIn(tenantId)),
    capture: ({ paymentIntentId }: Ref) =>
      handlers.captureIntent({ params: { paymentIntentId }, body: {} }, call()),
    cancel: ({ paymentIntentId }: Ref) =>
      handlers.cancelIntent(
        { params: { paymentIntentId }, body: { reasonCode: 'guest_left' } },
        call(),
      ),
    refund: ({ paymentIntentId }: Ref, amountMinor: number) =>
      handlers.createRefund(
        {
          params: { paymentIntentId },
          body: { amount: money(amountMinor), reasonCode: 'guest_request' },
        },
        call(),
      ),
    press: ({ paymentIntentId }: Ref, action: PageAction) => {
      const url = new URL(page.urlOf({ tenantId, paymentIntentId, locale: 'en' }))
      const secret = url.searchParams.get('cs') ?? ''
      const { cause } = callIn(tenantId)
      return page.submit({ tenantId, paymentIntentId, secret }, { action, cause })
    },
  }
}

export type Operations = ReturnType<typeof operationsOf>

function callIn(tenantId: TenantId) {
  return {
    tenantId,
    caller: 'test-service',
    locale: 'en' as const,
    scenario: undefined,
    cause: {
      producerInstance: 'test',
      tenantId,
      requestId: newId('req'),
      traceparent: renderTraceparent(newTrace()),
      occurredAt: systemClock.now(),
    },
  }
}

async function withoutStoring<B>(_tx: unknown, body: B): Promise<B> {
  return body
}

async function openTenant({ handlers }: TenantModule): Promise<TenantId> {
  const { tenantId: _, ...call } = callIn(newId('tnt'))
  const key = newKey()
  const tenant = await handlers.createTenant(
    { body: hotelBody() },
    { ...call, key, finish: withoutStoring },
  )
  return tenant.tenantId
}
