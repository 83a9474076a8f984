import { newId } from '@melmastoon/domain'
import type { Script } from '../clients.ts'
import { makeTenant } from './test-data.ts'

export const paymentScript: Script = {
  upstream: 'payment',
  async run({ clients, testHotel, cardToken }) {
    const { payment } = clients
    const { tenantId, currency } = await testHotel()
    const own = { tenantId }
    const amount = { amountMicro: '100000000', currency }
    const { methods } = await payment.listMethods({}, own)
    const captureModes = new Map(methods.map((each) => [each.method, each.captureModes[0]]))

    const key = newId('req')
    const card = await payment.createIntent(
      {
        body: {
          draftRef: key,
          method: 'card',
          amount,
          captureMode: 'manual',
          returnUrl: 'https://example.com/return',
          cardToken,
        },
      },
      { ...own, key },
    )
    const params = { paymentIntentId: card.paymentIntentId }
    await payment.getIntent({ params }, own)
    await payment.getByKey({ params: { key } }, own)
    await payment.captureIntent({ params, body: {} }, own)
    const refund = { amount: { amountMicro: '40000000', currency }, reasonCode: 'conformance' }
    await payment.createRefund({ params, body: refund }, own)
    await payment.listRefunds({ params }, own)

    const { tenantId: other } = await makeTenant(clients)
    await payment.tokenizePhone({ body: { phone: '+93700000000' } }, { tenantId: other })

    const cash = async () => {
      const body = {
        draftRef: newId('req'),
        method: 'cash_on_arrival' as const,
        amount,
        captureMode: captureModes.get('cash_on_arrival') ?? ('manual' as const),
      }
      const { paymentIntentId } = await payment.createIntent({ body }, own)
      return { paymentIntentId }
    }
    await payment.confirmCash({ params: await cash(), body: {} }, own)
    await payment.cancelIntent({ params: await cash(), body: { reasonCode: 'conformance' } }, own)
  },
}
