import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { readNames } from '../../world/names.ts'
import type { WorldProperty } from '../../world/world.ts'
import { policyDetailsOf } from './policy-details.ts'

type Policies = PropertyDetail['policies']
type Cancellation = Policies['cancellation']

const CANCELLATIONS: Readonly<Record<WorldProperty['cancellation'], Cancellation>> = {
  free: {
    kind: 'free',
    freeUntilHours: 48,
    penaltyBasisPoints: 10_000,
    text: readNames(
      'Free until two days before arrival; later the whole stay is charged. / تر رسېدو دوې ورځې مخکې وړیا؛ وروسته د ټولې استوګنې بیه اخیستل کېږي. / تا دو روز پیش از رسیدن رایگان؛ پس از آن بهای تمام اقامت گرفته می‌شود.',
    ),
  },
  partial: {
    kind: 'partial',
    freeUntilHours: 168,
    penaltyBasisPoints: 5_000,
    text: readNames(
      'Free until a week before arrival; later half of the stay is charged. / تر رسېدو یوه اوونۍ مخکې وړیا؛ وروسته د استوګنې نیمه بیه اخیستل کېږي. / تا یک هفته پیش از رسیدن رایگان؛ پس از آن نیم بهای اقامت گرفته می‌شود.',
    ),
  },
  none: {
    kind: 'none',
    freeUntilHours: 0,
    penaltyBasisPoints: 10_000,
    text: readNames(
      'Cannot be cancelled: the whole stay is charged. / نه لغوه کېږي: د ټولې استوګنې بیه اخیستل کېږي. / لغو نمی‌شود: بهای تمام اقامت گرفته می‌شود.',
    ),
  },
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
    cancellation: CANCELLATIONS[property.cancellation],
    checkInTime: property.checkInTime,
    checkOutTime: property.checkOutTime,
    houseRules: codes.map((code) => ({ code, text: ruleTexts.get(code) ?? { default: code } })),
    details,
  }
}
