import { id } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { WEBHOOK_FATES } from '../../scenarios/scenario-board.ts'
import { defineAction } from './action.ts'

export const setWebhookFate = defineAction({
  name: 'payment.webhook-fate',
  path: '/payments/webhook-fate',
  summary: 'What all webhooks suffer from now on',
  done: 'Webhooks fare so from now on.',
  section: 'payments',
  params: Type.Object({}),
  body: Type.Object({ fate: Type.Enum([...WEBHOOK_FATES]) }),
  async run(room, { body }) {
    await room.scenarios.setWebhookFate(body.fate)
    return { webhookFate: room.scenarios.webhookFate() }
  },
})

export const resendWebhook = defineAction({
  name: 'payment.resend-webhook',
  path: '/tenants/:tenantId/webhooks/:webhookId/resend',
  summary: 'Sends a webhook once more',
  done: 'The webhook is on its way again.',
  section: 'payments',
  params: Type.Object({ tenantId: id('tnt'), webhookId: id('whk') }),
  body: Type.Object({}),
  async run(room, { params }) {
    await room.modules.payment.resendWebhook(params.tenantId, params.webhookId)
    return { webhookId: params.webhookId }
  },
})
