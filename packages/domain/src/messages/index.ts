import type { Locale } from '../locale.ts'
import type { UserMessageKey } from '../problems.ts'
import { bff as enBff } from './en/bff.ts'
import { desk as enDesk } from './en/desk.ts'
import { hotel as enHotel } from './en/hotel.ts'
import { platform as enPlatform } from './en/platform.ts'
import { bff as faBff } from './fa-af/bff.ts'
import { desk as faDesk } from './fa-af/desk.ts'
import { hotel as faHotel } from './fa-af/hotel.ts'
import { platform as faPlatform } from './fa-af/platform.ts'
import { bff as psBff } from './ps-af/bff.ts'
import { desk as psDesk } from './ps-af/desk.ts'
import { hotel as psHotel } from './ps-af/hotel.ts'
import { platform as psPlatform } from './ps-af/platform.ts'

/** Texts in ICU MessageFormat, by the `userMessageKey` of a problem. */
export type Messages = Readonly<Record<UserMessageKey, string>>

/** What a message may refer to; all are known for every problem. */
export const MESSAGE_ARGUMENTS = ['retryAfter', 'retryAfterMinutes', 'errorCount'] as const

export type MessageArguments = Readonly<Record<(typeof MESSAGE_ARGUMENTS)[number], number>>

const CATALOGUE: Readonly<Record<Locale, Messages>> = {
  en: { ...enPlatform, ...enHotel, ...enDesk, ...enBff },
  'ps-AF': { ...psPlatform, ...psHotel, ...psDesk, ...psBff },
  'fa-AF': { ...faPlatform, ...faHotel, ...faDesk, ...faBff },
}

export function messagesOf(locale: Locale): Messages {
  return CATALOGUE[locale]
}
