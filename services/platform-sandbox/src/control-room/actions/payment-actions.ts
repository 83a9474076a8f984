import { id } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { WEBHOOK_DELIVERIES } from '../../scenarios/scenario-board.ts'
import { defineAction } from './action.ts'

export const setWebhookDelivery = defineAction({
  name: 'payment.webhook-fate',
  path: '/payments/webhook-fate',
  summary: 'Set how all webhooks are delivered from now on',
  done: 'The webhook delivery is changed.',
  section: 'payments',
  params: Type.Object({}),
  body: Type.Object({ fate: Type.Enum([...WEBHOOK_DELIVERIES]) }),
  async run(room, { body }) {
    await room.scenarios.setWebhookDelivery(body.fate)
    return { webhookFate: room.scenarios.webhookDelivery() }
  },
})

export const resendWebhook = defineAction({
  name: 'payment.resend-webhook',
  path: '/tenants/:tenantId/webhooks/:webhookId/resend',
  summary: 'Send a webhook again',
  done: 'The webhook is being sent again.',
  section: 'payments',
  params: Type.Object({ tenantId: id('tnt'), webhookId: id('whk') }),
  body: Type.Object({}),
  async run(room, { params }) {
    await room.modules.payment.resendWebhook(params.tenantId, params.webhookId)
    return { webhookId: params.webhookId }
  },
})
