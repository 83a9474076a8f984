import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { CANCELLATION_TERMS } from '../../world/cancellation-terms.ts'
import { joined, names, readNames } from '../../world/names.ts'
import { easternDigits } from '../../world/words/eastern-digits.ts'
import type { Names, WorldProperty } from '../../world/world.ts'
import { policyDetailsOf } from './policy-details.ts'

type Policies = PropertyDetail['policies']
type Cancellation = Policies['cancellation']

const DAY_HOURS = 24
const WHOLE = 10_000

const OTHER_RATES = names(
  'Other rates may have other terms.',
  'د نورو بیو شرایط توپیر لرلای شي.',
  'شرایط نرخ‌های دیگر فرق کرده می‌تواند.',
)
const NEVER = readNames(
  'Cannot be cancelled: the whole stay is charged. / نه لغوه کېږي: د ټولې استوګنې بیه اخیستل کېږي. / لغو نمی‌شود: بهای تمام اقامت گرفته می‌شود.',
)

/** Of the most flexible rate; the terms of each offer are shown with its price. */
function cancellationOf({ cancellation }: WorldProperty): Cancellation {
  const terms = CANCELLATION_TERMS[cancellation]
  return { ...terms, text: terms.kind === 'none' ? NEVER : joined(freeUntil(terms), OTHER_RATES) }
}

function freeUntil({ freeUntilHours, penaltyBasisPoints }: Omit<Cancellation, 'text'>): Names {
  const days = freeUntilHours / DAY_HOURS
  const penalty = penaltyOf(penaltyBasisPoints)
  return names(
    `Free until ${days} days before arrival; later ${penalty.default} is charged.`,
    `تر رسېدو ${easternDigits(days)} ورځې مخکې وړیا؛ وروسته ${penalty.localized['ps-AF']} اخیستل کېږي.`,
    `تا ${easternDigits(days)} روز پیش از رسیدن رایگان؛ پس از آن ${penalty.localized['fa-AF']} گرفته می‌شود.`,
  )
}

function penaltyOf(basisPoints: number): Names {
  if (basisPoints === WHOLE) {
    return names('the whole stay', 'د ټولې استوګنې بیه', 'بهای تمام اقامت')
  }
  const percent = basisPoints / 100
  const digits = easternDigits(percent)
  return names(`${percent}% of the stay`, `د استوګنې د بیې ${digits}٪`, `${digits}٪ بهای اقامت`)
}

const RULES: Readonly<Record<string, string>> = {
  'no-smoking': 'No smoking in the rooms / په خونو کې سګرټ مه څکوئ / در اتاق‌ها سگرت نکشید',
  'quiet-hours': 'Quiet from 22:00 to 07:00 / له ۲۲:۰۰ تر ۰۷:۰۰ ارامي / از ۲۲:۰۰ تا ۰۷:۰۰ آرامش',
  'identity-paper':
    'Guests show a passport or tazkira / مېلمانه پاسپورټ یا تذکره ښيي / مهمانان پاسپورت یا تذکره نشان می‌دهند',
  'no-alcohol': 'No alcohol in the house / په کور کې الکول نشته / در خانه الکول نیست',
  'no-pets': 'No pets / څاروي مه راولئ / حیوانات نیاورید',
}

const ruleTexts = new Map(Object.entries(RULES).map(([code, text]) => [code, readNames(text)]))

export function policiesOf(property: WorldProperty): Policies {
  const details = policyDetailsOf(property)
  const codes = ['no-smoking', 'quiet-hours', 'identity-paper']
  if (property.shariaCompliant) codes.push('no-alcohol')
  if (!details.pets.allowed) codes.push('no-pets')
  return {
    cancellation: cancellationOf(property),
    checkInTime: property.checkInTime,
    checkOutTime: property.checkOutTime,
    houseRules: codes.map((code) => ({ code, text: ruleTexts.get(code) ?? { default: code } })),
    details,
  }
}
