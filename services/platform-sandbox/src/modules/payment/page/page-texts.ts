import type { Locale } from '@melmastoon/domain'
import type { IntentStatus } from '@melmastoon/upstream-contracts/payment'

type Card =
  | 'tok_ok'
  | 'tok_decline_insufficient_funds'
  | 'tok_decline_lost_card'
  | 'tok_3ds'
  | 'tok_capture_declined'
/** Empty: as set in the control room. */
type WebhookChoice = '' | '_webhook_late' | '_webhook_lost' | '_webhook_twice' | '_webhook_reversed'
type PaymentState = Exclude<IntentStatus, 'requires_action' | 'pending_cash'> | 'expired'

export interface PageTexts {
  readonly title: string
  readonly note: string
  readonly amount: string
  readonly chooseCard: string
  readonly cards: Readonly<Record<Card, string>>
  readonly webhookTitle: string
  readonly webhooks: Readonly<Record<WebhookChoice, string>>
  readonly pay: string
  readonly decline: string
  readonly payAndStay: string
  readonly payLate: string
  readonly leave: string
  readonly verifyTitle: string
  readonly verifyText: string
  readonly verify: string
  readonly addError: string
  readonly phoneTitle: string
  readonly approve: string
  readonly refusePhone: string
  readonly states: Readonly<Record<PaymentState, string>>
  readonly back: string
  readonly notFound: string
}

const en: PageTexts = {
  title: 'Test payment',
  note: 'This is a test page. No money is charged, and no real card is needed.',
  amount: 'Amount',
  chooseCard: 'Choose a test card',
  cards: {
    tok_ok: 'A card that works',
    tok_decline_insufficient_funds: 'A card with insufficient funds',
    tok_decline_lost_card: 'A card that was reported lost',
    tok_3ds: 'A card that requires confirmation',
    tok_capture_declined: 'A card whose later capture is declined',
  },
  webhookTitle: 'Notification of the hotel',
  webhooks: {
    '': 'Arrives normally',
    _webhook_late: 'Arrives late',
    _webhook_lost: 'Never arrives',
    _webhook_twice: 'Arrives twice',
    _webhook_reversed: 'Arrives in reverse order',
  },
  pay: 'Pay',
  decline: 'Decline',
  payAndStay: 'Pay, but do not return',
  payLate: 'Pay after the hold on the room has expired',
  leave: 'Return without paying',
  verifyTitle: 'Confirm your identity',
  verifyText: 'Your bank asks you to confirm this payment.',
  verify: 'Confirm',
  addError: 'I did not request this payment',
  phoneTitle: 'The phone of the payer',
  approve: 'Approve',
  refusePhone: 'Refuse',
  states: {
    processing: 'The payment is being processed.',
    authorized: 'The payment is authorized.',
    captured: 'Paid.',
    failed: 'The payment was declined.',
    cancelled: 'The payment was cancelled.',
    refunded: 'The payment was refunded.',
    partially_refunded: 'The payment was partially refunded.',
    expired: 'The time to pay has expired.',
  },
  back: 'Return to the hotel',
  notFound: 'This payment link is not valid.',
}

const ps: PageTexts = {
  title: 'ازمایښتي تادیه',
  note: 'دا د ازمایښت پاڼه ده. هېڅ پیسې نه لېږدول کېږي او د چا ریښتینی کارت نه غوښتل کېږي.',
  amount: 'مبلغ',
  chooseCard: 'یو ازمایښتي کارت وټاکئ',
  cards: {
    tok_ok: 'هغه کارت چې کار کوي',
    tok_decline_insufficient_funds: 'هغه کارت چې کافي پیسې نه لري',
    tok_decline_lost_card: 'هغه کارت چې ورک شوی دی',
    tok_3ds: 'هغه کارت چې تایید غواړي',
    tok_capture_declined: 'هغه کارت چې وروسته یې اخیستل ردېږي',
  },
  webhookTitle: 'هوټل ته خبر',
  webhooks: {
    '': 'په عادي ډول رسېږي',
    _webhook_late: 'ناوخته رسېږي',
    _webhook_lost: 'هېڅکله نه رسېږي',
    _webhook_twice: 'دوه ځله رسېږي',
    _webhook_reversed: 'په سرچپه ترتیب رسېږي',
  },
  pay: 'تادیه کول',
  decline: 'ردول',
  payAndStay: 'تادیه کول، خو بېرته نه ستنېدل',
  payLate: 'د خونې د ساتلو له وخت وروسته تادیه کول',
  leave: 'له تادیې پرته ستنېدل',
  verifyTitle: 'تایید کړئ چې دا تاسو یاست',
  verifyText: 'ستاسو بانک غواړي چې دا تادیه تایید کړئ.',
  verify: 'تاییدول',
  addError: 'ما دا نه ده غوښتې',
  phoneTitle: 'د تادیه کوونکي ټیلیفون',
  approve: 'منل',
  refusePhone: 'نه منل',
  states: {
    processing: 'تادیه روانه ده.',
    authorized: 'تادیه تایید شوه.',
    captured: 'تادیه وشوه.',
    failed: 'تادیه رد شوه.',
    cancelled: 'تادیه لغوه شوه.',
    refunded: 'پیسې بېرته ورکړل شوې.',
    partially_refunded: 'د پیسو یوه برخه بېرته ورکړل شوه.',
    expired: 'د تادیې وخت پای ته رسېدلی دی.',
  },
  back: 'هوټل ته ستنېدل',
  notFound: 'د تادیې دا لینک سم نه دی.',
}

const fa: PageTexts = {
  title: 'پرداخت آزمایشی',
  note: 'این یک صفحهٔ آزمایشی است. هیچ پولی انتقال نمی‌یابد و از کسی کارت واقعی خواسته نمی‌شود.',
  amount: 'مبلغ',
  chooseCard: 'یک کارت آزمایشی را انتخاب کنید',
  cards: {
    tok_ok: 'کارتی که کار می‌کند',
    tok_decline_insufficient_funds: 'کارتی که پول کافی ندارد',
    tok_decline_lost_card: 'کارتی که گم شده است',
    tok_3ds: 'کارتی که تأیید می‌خواهد',
    tok_capture_declined: 'کارتی که برداشت بعدی آن رد می‌شود',
  },
  webhookTitle: 'خبر به هوتل',
  webhooks: {
    '': 'به‌صورت عادی می‌رسد',
    _webhook_late: 'دیر می‌رسد',
    _webhook_lost: 'هرگز نمی‌رسد',
    _webhook_twice: 'دو بار می‌رسد',
    _webhook_reversed: 'به ترتیب برعکس می‌رسد',
  },
  pay: 'پرداخت',
  decline: 'رد کردن',
  payAndStay: 'پرداخت بدون بازگشت',
  payLate: 'پرداخت پس از پایان نگه‌داشتن اتاق',
  leave: 'بازگشت بدون پرداخت',
  verifyTitle: 'تأیید کنید که خود شما هستید',
  verifyText: 'بانک شما می‌خواهد که این پرداخت را تأیید کنید.',
  verify: 'تأیید کردن',
  addError: 'من این را نخواسته‌ام',
  phoneTitle: 'تلفن پرداخت‌کننده',
  approve: 'قبول کردن',
  refusePhone: 'رد کردن',
  states: {
    processing: 'پرداخت در جریان است.',
    authorized: 'پرداخت تأیید شد.',
    captured: 'پرداخت شد.',
    failed: 'پرداخت رد شد.',
    cancelled: 'پرداخت لغو شد.',
    refunded: 'پول بازگردانده شد.',
    partially_refunded: 'بخشی از پول بازگردانده شد.',
    expired: 'وقت پرداخت تمام شده است.',
  },
  back: 'بازگشت به هوتل',
  notFound: 'این لینک پرداخت معتبر نیست.',
}

export const PAGE_TEXTS: Readonly<Record<Locale, PageTexts>> = { en, 'ps-AF': ps, 'fa-AF': fa }
