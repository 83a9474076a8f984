import type { Tx } from '@melmastoon/chassis/db'
import { problem } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import { chargeChange, decisionChange } from './charge-change.ts'
import { fromRow, type StoredIntent } from './intent.ts'
import { challengePayer, chooseCard, findIntent } from './intent-sql.ts'
import { readCardToken } from './magic-values.ts'
import { type IntentChange, type IntentKey, moveTaken, refOf, takeIntent } from './move-intent.ts'
import { isSecretOf } from './page-links.ts'
import type { PaymentHost } from './payment-host.ts'
import { returnAddress } from './return-address.ts'

export const PAGE_ACTIONS = [
  'pay',
  'decline',
  'pay_and_stay',
  'pay_late',
  'leave',
  'verify',
  'refuse',
] as const
export type PageAction = (typeof PAGE_ACTIONS)[number]

export interface PageLink extends IntentKey {
  readonly secret: string
}

export interface PageSubmission {
  readonly action: PageAction
  /** The card chosen on the page. */
  readonly card?: string | undefined
  readonly cause: EventContext
}

export type PageOutcome =
  | { readonly kind: 'return'; readonly url: string }
  | { readonly kind: 'stay' }

/** The data of the page. Without the right secret the payment is not found. */
export async function openPage(host: PaymentHost, link: PageLink): Promise<StoredIntent> {
  const [row] = await host.db.tenantQuery(link.tenantId, findIntent(refOf(link)))
  return admit(row === undefined ? null : fromRow(row), link.secret)
}

/**
 * Applies the choice of the payer while the payment is open. Afterwards, and for repeated
 * submissions, only the state of the payment determines the redirect.
 */
export async function submitPage(
  host: PaymentHost,
  link: PageLink,
  submission: PageSubmission,
): Promise<PageOutcome> {
  const intent = await host.db.withTenant(link.tenantId, async (tx) => {
    const before = admit(await takeIntent(tx, link), link.secret)
    return isOpen(before) ? await applySubmission(tx, before, { host, submission }) : before
  })
  return outcomeOf(intent, submission.action)
}

/** Whether the payer can still choose. */
export function isOpen({ status, method, isOverdue }: StoredIntent): boolean {
  const waits = status === 'requires_action'
  return !isOverdue && (waits || (status === 'processing' && method === 'mobile_money'))
}

function admit(intent: StoredIntent | null, secret: string): StoredIntent {
  if (intent !== null && isSecretOf(secret, intent.secretHash)) return intent
  throw problem('MELMASTOON.PAYMENT.INTENT_NOT_FOUND')
}

interface PageStep {
  readonly host: PaymentHost
  readonly submission: PageSubmission
}

async function applySubmission(tx: Tx, before: StoredIntent, { host, submission }: PageStep) {
  const step =
    before.method === 'card' ? cardStep(before, submission, host) : phoneStep(before, submission)
  if (step === null) return before
  if (before.method === 'card') await rememberCard(tx, before, submission)
  if (step === 'challenge') {
    await tx.query(challengePayer(refOf(before)))
    return { ...before, isChallenged: true }
  }
  const moving = { registry: host.registry, cause: submission.cause }
  return await moveTaken(tx, before, { change: step, moving })
}

/** Captures and webhooks of the payment behave like the card that was chosen on the page. */
async function rememberCard(tx: Tx, intent: StoredIntent, { card }: PageSubmission) {
  const magic = card === undefined ? undefined : readCardToken(card)
  if (card === undefined || magic === undefined) return
  await tx.query(chooseCard(refOf(intent), card, magic.webhookDelivery))
}

type Step = IntentChange | 'challenge' | null

function cardStep(intent: StoredIntent, submission: PageSubmission, host: PaymentHost): Step {
  switch (submission.action) {
    case 'pay':
    case 'pay_and_stay':
      return intent.isChallenged ? 'challenge' : charge(intent, submission.card)
    case 'pay_late': {
      const settlement = { settleAs: 'approve', afterSeconds: host.lateSeconds } as const
      return intent.isChallenged ? 'challenge' : { move: 'wait', settlement }
    }
    case 'decline':
      return decisionChange(intent, 'decline')
    case 'verify':
      return intent.isChallenged ? decisionChange(intent, 'approve') : null
    case 'refuse':
      return intent.isChallenged ? { move: 'fail', reasonCode: 'authentication_failed' } : null
    case 'leave':
      return null
  }
}

function charge(intent: StoredIntent, chosen = 'tok_ok'): Step {
  const card = readCardToken(intent.cardToken ?? chosen)
  if (card === undefined || card.behaviour.outcome === 'nothing') return null
  return chargeChange(intent, card.behaviour) ?? 'challenge'
}

function phoneStep(intent: StoredIntent, { action }: PageSubmission): Step {
  if (action === 'pay') return decisionChange(intent, 'approve')
  return action === 'decline' ? decisionChange(intent, 'decline') : null
}

function outcomeOf(intent: StoredIntent, action: PageAction): PageOutcome {
  const isSecondStep = intent.status === 'requires_action' && intent.isChallenged
  const stays = action === 'pay_and_stay' || (isSecondStep && action !== 'leave')
  if (intent.returnUrl === null || intent.method !== 'card' || stays) return { kind: 'stay' }
  return { kind: 'return', url: returnAddress(intent, intent.returnUrl) }
}
