import { directionOf, formatMoney, type Locale } from '@melmastoon/domain'
import { type Html, html } from '../../../page/html.ts'
import { minorOf } from '../amount.ts'
import type { StoredIntent } from '../intent.ts'
import { returnAddress } from '../return-address.ts'
import { isOpen, type PageAction } from '../submit-page.ts'
import { PAGE_TEXTS, type PageTexts } from './page-texts.ts'

export interface PageView {
  readonly intent: StoredIntent
  readonly locale: Locale
  readonly secret: string
}

export function renderPage(view: PageView): Html {
  const { intent, locale } = view
  const t = PAGE_TEXTS[locale]
  const amount = formatMoney(minorOf(intent.amountMicro, intent.currency), locale)
  const body = isOpen(intent) ? renderForm(view, t) : renderState(intent, t)
  return frame(
    locale,
    html`<p class="note">${t.note}</p>
      <dl><dt>${t.amount}</dt><dd><bdi>${amount}</bdi></dd></dl>
      ${body}`,
  )
}

export function renderNotFound(locale: Locale): Html {
  return frame(locale, html`<p role="status">${PAGE_TEXTS[locale].notFound}</p>`)
}

function frame(locale: Locale, content: Html): Html {
  const { title } = PAGE_TEXTS[locale]
  return html`<html lang="${locale}" dir="${directionOf(locale)}">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="robots" content="noindex">
      <title>${title}</title>
      <link rel="stylesheet" href="/pay/style.css">
    </head>
    <body><main><h1>${title}</h1>
      ${content}
    </main></body></html>`
}

function renderForm(view: PageView, t: PageTexts): Html {
  const { intent, locale, secret } = view
  const address = `/pay/${intent.tenantId}/${intent.paymentIntentId}`
  return html`<form method="post" action="${address}" autocomplete="off">
    <input type="hidden" name="cs" value="${secret}">
    <input type="hidden" name="lang" value="${locale}">
    ${choices(intent, t)}
  </form>`
}

function choices(intent: StoredIntent, t: PageTexts): Html {
  if (intent.method === 'mobile_money') {
    return html`<h2>${t.phoneTitle}</h2>${button('pay', t.approve)}${button('decline', t.refusePhone)}`
  }
  if (intent.isChallenged) {
    return html`<h2>${t.verifyTitle}</h2><p>${t.verifyText}</p>
      ${button('verify', t.verify)}${button('refuse', t.addError)}${button('leave', t.leave)}`
  }
  return html`${intent.cardToken === null && cardChoice(t)}
    ${button('pay', t.pay)}${button('decline', t.decline)}${button('pay_and_stay', t.payAndStay)}
    ${button('pay_late', t.payLate)}${button('leave', t.leave)}`
}

function cardChoice(t: PageTexts): Html {
  const cards = Object.entries(t.cards).map(([token, name], index) => {
    const checked = index === 0 ? html` checked` : null
    return html`<label><input type="radio" name="card" value="${token}"${checked}> ${name}</label>`
  })
  const webhooks = Object.entries(t.webhooks).map(
    ([suffix, name]) => html`<option value="${suffix}">${name}</option>`,
  )
  return html`<fieldset><legend>${t.chooseCard}</legend>${cards}</fieldset>
    <label>${t.webhookTitle}
      <select name="webhook">
        ${webhooks}</select></label>`
}

function button(action: PageAction, name: string): Html {
  const isFirst = action === 'pay' || action === 'verify'
  const kind = isFirst ? 'first' : 'other'
  return html`<button name="action" value="${action}" class="${kind}">${name}</button>`
}

function renderState(intent: StoredIntent, t: PageTexts): Html {
  const { returnUrl } = intent
  return html`<p role="status">${stateText(intent, t)}</p>
    ${
      returnUrl !== null &&
      html`<a class="button" href="${returnAddress(intent, returnUrl)}">${t.back}</a>`
    }`
}

function stateText({ status, isOverdue, declineCode }: StoredIntent, t: PageTexts): string {
  if (isOverdue || declineCode === 'expired') return t.states.expired
  if (status === 'requires_action' || status === 'pending_cash') return t.states.processing
  return t.states[status]
}
