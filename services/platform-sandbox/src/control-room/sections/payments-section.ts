import type { RecentPayment, RecentWebhook } from '../../modules/payment/module.ts'
import { type Html, html } from '../../page/html.ts'
import { WEBHOOK_DELIVERIES, type WebhookDelivery } from '../../scenarios/scenario-board.ts'
import { resendWebhook, setWebhookDelivery } from '../actions/payment-actions.ts'
import type { ControlRoom } from '../control-room.ts'
import { actionButton, actionForm } from '../form.ts'
import type { View } from '../view.ts'
import { badge, type Section, showAmount, time } from './section.ts'

const SHOWN_MAX = 10

const DELIVERY_LABELS: Readonly<Record<WebhookDelivery, string>> = {
  prompt: 'arrive immediately',
  late: 'arrive late',
  lost: 'never arrive',
  twice: 'arrive twice',
  reversed: 'arrive in reverse order',
}

export const paymentsSection: Section = {
  id: 'payments',
  title: 'Payments',
  async show({ room, view }) {
    const { payment } = room.modules
    const [payments, webhooks] = await Promise.all([
      payment.recentPayments(),
      payment.recentWebhooks(),
    ])
    return html`
      ${deliveryForm(room.scenarios.webhookDelivery(), view)}
      <h3>Recent payments</h3>
      ${paymentTable(payments.slice(0, SHOWN_MAX), room)}
      <h3>Recent webhooks</h3>
      ${webhookTable(webhooks.slice(0, SHOWN_MAX), view)}`
  },
}

function deliveryForm(current: WebhookDelivery, view: View): Html {
  const options = WEBHOOK_DELIVERIES.map(
    (delivery) =>
      html`<option value="${delivery}"${delivery === current && html` selected`}>${DELIVERY_LABELS[delivery]}</option>`,
  )
  const fields = html`
    <label for="fate">Webhooks</label>
    <select id="fate" name="fate">${options}</select>
    <button class="quiet">Set the webhook delivery</button>`
  return actionForm(setWebhookDelivery, { params: {}, view, className: 'search' }, fields)
}

function paymentTable(payments: readonly RecentPayment[], room: ControlRoom): Html {
  if (payments.length === 0) return html`<p>No payments yet.</p>`
  return html`
    <div class="scroll"><table>
      <thead><tr><th scope="col">Payment</th><th scope="col">State</th><th scope="col">Method</th>
        <th scope="col" class="number">Amount</th><th scope="col">Since</th><th scope="col">Payer</th></tr></thead>
      <tbody>${payments.map((payment) => paymentRow(payment, room))}</tbody>
    </table></div>`
}

function paymentRow(payment: RecentPayment, room: ControlRoom): Html {
  const { paymentIntentId, tenantId, status, method, amount, createdAt } = payment
  const url = room.modules.payment.page.urlOf({ tenantId, paymentIntentId, locale: 'en' })
  const waits = status === 'requires_action' || status === 'processing'
  return html`
    <tr>
      <th scope="row"><code>${paymentIntentId}</code></th>
      <td>${badge(toneOf(status), status)}</td>
      <td>${method}</td>
      <td class="number">${showAmount(amount)}</td>
      <td>${time(createdAt)}</td>
      <td>${waits && html`<a href="${url}">decide</a>`}</td>
    </tr>`
}

function toneOf(status: RecentPayment['status']) {
  if (status === 'captured' || status === 'authorized') return 'good'
  if (status === 'failed') return 'bad'
  return status === 'requires_action' || status === 'processing' ? 'wait' : 'plain'
}

function webhookTable(webhooks: readonly RecentWebhook[], view: View): Html {
  if (webhooks.length === 0) return html`<p>No webhooks yet.</p>`
  return html`
    <div class="scroll"><table>
      <thead><tr><th scope="col">Webhook</th><th scope="col">State</th><th scope="col" class="number">Sent</th>
        <th scope="col">Last response</th><th scope="col">Written</th>
        <th scope="col"><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${webhooks.map((webhook) => webhookRow(webhook, view))}</tbody>
    </table></div>`
}

function webhookRow(webhook: RecentWebhook, view: View): Html {
  const { tenantId, webhookId, type, status, deliveries, lastOutcome, createdAt } = webhook
  const resend = actionButton(
    resendWebhook,
    { params: { tenantId, webhookId }, view },
    { text: 'Resend', about: webhookId },
  )
  return html`
    <tr>
      <th scope="row"><code>${type}</code></th>
      <td>${badge('plain', status)}</td>
      <td class="number">${deliveries}</td>
      <td>${lastOutcome}</td>
      <td>${time(createdAt)}</td>
      <td>${resend}</td>
    </tr>`
}
