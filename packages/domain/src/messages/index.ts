import type { Locale } from '../locale.ts'
import type { UserMessageKey } from '../problems.ts'
import { bff as enBff } from './en/bff.ts'
import { desk as enDesk } from './en/desk.ts'
import { hotel as enHotel } from './en/hotel.ts'
import { labels as enLabels } from './en/labels.ts'
import { platform as enPlatform } from './en/platform.ts'
import { bff as faBff } from './fa-af/bff.ts'
import { desk as faDesk } from './fa-af/desk.ts'
import { hotel as faHotel } from './fa-af/hotel.ts'
import { labels as faLabels } from './fa-af/labels.ts'
import { platform as faPlatform } from './fa-af/platform.ts'
import { bff as psBff } from './ps-af/bff.ts'
import { desk as psDesk } from './ps-af/desk.ts'
import { hotel as psHotel } from './ps-af/hotel.ts'
import { labels as psLabels } from './ps-af/labels.ts'
import { platform as psPlatform } from './ps-af/platform.ts'

/** The text of a value that pages show: `labels.board.breakfast`. */
export type LabelKey = keyof typeof enLabels

export type MessageKey = UserMessageKey | LabelKey

/** Texts in ICU MessageFormat, by the `userMessageKey` of a problem or the key of a label. */
export type Messages = Readonly<Record<MessageKey, string>>

/** What a message may refer to; 0 where it is not known. `count` is for labels. */
export const MESSAGE_ARGUMENTS = ['retryAfter', 'retryAfterMinutes', 'errorCount', 'count'] as const

export type MessageArguments = Readonly<Record<(typeof MESSAGE_ARGUMENTS)[number], number>>

const CATALOGUE: Readonly<Record<Locale, Messages>> = {
  en: { ...enPlatform, ...enHotel, ...enDesk, ...enBff, ...enLabels },
  'ps-AF': { ...psPlatform, ...psHotel, ...psDesk, ...psBff, ...psLabels },
  'fa-AF': { ...faPlatform, ...faHotel, ...faDesk, ...faBff, ...faLabels },
}

export function messagesOf(locale: Locale): Messages {
  return CATALOGUE[locale]
}

/** In the order of the catalogue. */
export const LABEL_KEYS = Object.keys(enLabels) as readonly LabelKey[]
