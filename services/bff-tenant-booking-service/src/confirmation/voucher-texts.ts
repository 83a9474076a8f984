import type { Locale } from '@melmastoon/domain'
import type { PaymentState } from './shared-confirmation.ts'

export interface VoucherTexts {
  readonly title: string
  readonly cancelledTitle: string
  readonly note: string
  readonly code: string
  readonly hotel: string
  readonly address: string
  readonly checkIn: string
  readonly checkOut: string
  readonly rooms: string
  readonly total: string
  readonly payment: string
  readonly payments: Readonly<Record<PaymentState, string>>
}

const en: VoucherTexts = {
  title: 'Booking confirmation',
  cancelledTitle: 'Cancelled booking',
  note: 'Please show this page and your passport or tazkira at the front desk.',
  code: 'Booking code',
  hotel: 'Hotel',
  address: 'Address',
  checkIn: 'Check-in',
  checkOut: 'Check-out',
  rooms: 'Rooms',
  total: 'Total price',
  payment: 'Payment',
  payments: {
    paid: 'Paid',
    authorized: 'Authorized',
    pay_at_hotel: 'To be paid at the hotel',
    pending: 'In progress',
    refunded: 'Refunded',
    partially_refunded: 'Partially refunded',
    unknown: 'Being checked',
  },
}

const ps: VoucherTexts = {
  title: 'د بکنګ تایید',
  cancelledTitle: 'لغوه شوی بکنګ',
  note: 'مهرباني وکړئ دا پاڼه او خپل پاسپورټ یا تذکره په رسپشن کې وښیئ.',
  code: 'د بکنګ کوډ',
  hotel: 'هوټل',
  address: 'پته',
  checkIn: 'رسېدل',
  checkOut: 'وتل',
  rooms: 'خونې',
  total: 'ټوله بیه',
  payment: 'تادیه',
  payments: {
    paid: 'تادیه شوې',
    authorized: 'تایید شوې',
    pay_at_hotel: 'په هوټل کې تادیه کېږي',
    pending: 'روانه ده',
    refunded: 'پیسې بېرته ورکړل شوې',
    partially_refunded: 'د پیسو یوه برخه بېرته ورکړل شوه',
    unknown: 'کتل کېږي',
  },
}

const fa: VoucherTexts = {
  title: 'تأیید رزرو',
  cancelledTitle: 'رزرو لغو شده',
  note: 'لطفاً این صفحه و پاسپورت یا تذکرهٔ خود را در پذیرش نشان دهید.',
  code: 'کود رزرو',
  hotel: 'هوتل',
  address: 'آدرس',
  checkIn: 'ورود',
  checkOut: 'خروج',
  rooms: 'اتاق‌ها',
  total: 'بهای مجموعی',
  payment: 'پرداخت',
  payments: {
    paid: 'پرداخت شده',
    authorized: 'تأیید شده',
    pay_at_hotel: 'در هوتل پرداخت می‌شود',
    pending: 'در جریان است',
    refunded: 'پول بازگردانده شد',
    partially_refunded: 'بخشی از پول بازگردانده شد',
    unknown: 'در حال بررسی',
  },
}

export const VOUCHER_TEXTS: Readonly<Record<Locale, VoucherTexts>> = {
  en,
  'ps-AF': ps,
  'fa-AF': fa,
}
