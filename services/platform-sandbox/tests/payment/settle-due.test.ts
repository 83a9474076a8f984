import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { idToUuid, newId } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { settleDueIntents } from '../../src/modules/payment/settle-due-intents.ts'
import { sandboxEnvironment } from '../start-sandbox.ts'
import { cardBody } from './payment-client.ts'
import { openPaymentModule } from './payment-module.ts'

it('applies the due responses even when an earlier one fails', async () => {
  await using environment = await sandboxEnvironment()
  await using payments = await openPaymentModule(environment)
  const { registry, relayDb } = payments.ctx
  const { returnUrl: _, ...body } = cardBody({ method: 'mobile_money', phoneRef: 'phone_silent' })
  const [broken, sound] = [await payments.create(body), await payments.create(body)]
  await environment.query(
    `update sandbox.payment_intent set settle_at = case payment_intent_id when $1
       then now() - interval '2 seconds' else now() - interval '1 second' end`,
    [idToUuid(broken.paymentIntentId)],
  )
  await environment.query(`alter table sandbox.payment_webhook add constraint ck_test_broken
       check (payment_intent_id <> '${idToUuid(broken.paymentIntentId)}')`)
  const cause = {
    producerInstance: 'test',
    tenantId: null,
    requestId: newId('req'),
    traceparent: renderTraceparent(newTrace()),
    occurredAt: new Date(),
  }
  const settling = settleDueIntents(relayDb, () => ({ registry, cause }))
  await expect(settling).rejects.toBeInstanceOf(AggregateError)
  expect(await payments.get(sound)).toMatchObject({ status: 'captured' })
  expect(await payments.get(broken)).toMatchObject({ status: 'processing' })
})
