import { newId } from '@melmastoon/domain'
import { paymentContract } from '@melmastoon/upstream-contracts/payment'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  clientFor,
  countRows,
  type RunningSandbox,
  type Stage,
  send,
  setStage,
  startSandbox,
} from '../start-sandbox.ts'
import { makeTenant } from '../tenant/tenant-fixture.ts'
import { visitPage } from './visit-page.ts'

describe('payments in the control room', () => {
  let stage: Stage
  let sandbox: RunningSandbox

  beforeAll(async () => {
    stage = await setStage()
    sandbox = await startSandbox(stage)
  })
  afterAll(async () => {
    await sandbox[Symbol.asyncDispose]()
    await stage[Symbol.asyncDispose]()
  })

  async function pay(cardToken?: string) {
    const { own } = await makeTenant(sandbox.url)
    const body = {
      draftRef: newId('bdr'),
      method: 'card' as const,
      amount: { amountMicro: '1500000000', currency: 'AFN' as const },
      captureMode: 'automatic' as const,
      returnUrl: 'http://localhost/back',
      ...(cardToken && { cardToken }),
    }
    const call = own()
    const intent = await clientFor(paymentContract, sandbox.url).createIntent({ body }, call)
    return { ...intent, tenantId: call.tenantId }
  }

  it('shows payments, with a way to decide those that wait', async () => {
    expect((await visitPage(sandbox.url)).section('payments')).toContain('Nobody has paid yet.')
    const paid = await pay('tok_ok')
    const waiting = await pay()
    const payments = (await visitPage(sandbox.url)).section('payments')
    expect(payments).toContain(paid.paymentIntentId)
    expect(payments).toContain('<span class="badge good">captured</span>')
    expect(payments).toContain(`/pay/${waiting.tenantId}/${waiting.paymentIntentId}?`)
    expect(payments).toMatch(/AFN\s1,500\.00/)
  })

  it('decides the fate of all webhooks', async () => {
    const page = await visitPage(sandbox.url)
    const after = await page.press('Set the fate of webhooks', { fate: 'lost' })
    expect(after.section('payments')).toContain('<option value="lost" selected>')
    expect(sandbox.ctx.scenarios.webhookFate()).toBe('lost')
    const path = '/admin/api/payments/webhook-fate'
    const prompt = await send(sandbox.url, 'POST', path, { json: { fate: 'prompt' } })
    expect(prompt.body).toEqual({ webhookFate: 'prompt' })
    const eaten = await send(sandbox.url, 'POST', path, { json: { fate: 'eaten' } })
    expect(eaten.status).toBe(400)
  })

  it('sends a webhook once more', async () => {
    const { tenantId } = await pay('tok_ok_webhook_lost')
    const [webhook] = await sandbox.ctx.modules.payment.recentWebhooks()
    expect(webhook).toMatchObject({ tenantId })
    const page = await visitPage(sandbox.url)
    const after = await page.press(`Resend ${webhook?.webhookId}`)
    expect(after.html).toContain('The webhook is on its way again.')
    const path = `/admin/api/tenants/${tenantId}/webhooks/${webhook?.webhookId}/resend`
    expect((await send(sandbox.url, 'POST', path)).status).toBe(200)
    const stranger = path.replace(tenantId, newId('tnt'))
    expect((await send(sandbox.url, 'POST', stranger)).status).toBe(404)
    expect(await countRows(stage, 'payment_webhook')).toBeGreaterThan(0)
  })
})
