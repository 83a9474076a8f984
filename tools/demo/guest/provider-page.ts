import { isId, type PaymentIntentId } from '@melmastoon/domain'
import { DemoFailure, expectThat } from '../shared/demo-failure.ts'
import type { Demo } from './demo.ts'
import type { Draft } from './guest-site.ts'

export interface PaymentPage {
  readonly url: URL
  readonly paymentIntentId: PaymentIntentId
}

/** The page to which the site redirects the guest. */
export function pageOf({ room }: Demo, { payment }: Draft): PaymentPage {
  const action = payment?.nextAction
  if (action?.kind !== 'redirect') throw new DemoFailure('the payment has no page')
  const url = room.page(action.url)
  const paymentIntentId = url.pathname.split('/').at(-1) ?? ''
  expectThat(isId('pyi', paymentIntentId), `no payment in ${url.pathname}`)
  return { url, paymentIntentId }
}

/** Presses “Pay” with a test card, as a browser submits the form; returns the return address. */
export async function payOnPage(demo: Demo, { url }: PaymentPage, card: string): Promise<URL> {
  const startedMs = performance.now()
  const shown = await fetch(url)
  const page = await shown.text()
  expectThat(shown.ok && page.includes('<form'), `the payment page returned ${shown.status}`)
  const fields = { cs: url.searchParams.get('cs') ?? '', action: 'pay', card }
  const response = await fetch(new URL(url.pathname, url), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  demo.watch(performance.now() - startedMs)
  const location = response.headers.get('location')
  expectThat(location !== null, `the payment page returned ${response.status}`)
  const back = new URL(location, url)
  demo.say.step(`Pay with ${card} on the page of the provider`)
  demo.say.detail(`it redirects to ${back.origin}${back.pathname}`)
  return back
}
