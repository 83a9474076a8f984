import type { Locale } from '@melmastoon/domain'
import { readNames } from '../names.ts'
import type { SeededRandom } from '../seeded-random.ts'

const REQUESTS = `
A quiet room, please / یوه ارامه کوټه، مهرباني / یک اتاق آرام، لطفاً
A cot for a baby / د ماشوم لپاره کټ / تخت کودک
A room on the ground floor / په لومړي پوړ کې کوټه / اتاق در منزل اول
We arrive late in the evening / موږ ماښام ناوخته رارسېږو / شب دیر می‌رسیم
Breakfast before sunrise / له لمر ختو مخکې ناری / صبحانه پیش از طلوع آفتاب
A prayer mat in the room / په کوټه کې جای نماز / جانماز در اتاق
`

const requests = REQUESTS.trim().split('\n').map(readNames)

/** A special request in the language of the guest. */
export function drawRequest(random: SeededRandom, locale: Locale): string {
  const request = random.pick(requests)
  return locale === 'en' ? request.default : request.localized[locale]
}
