import { constantDocuments } from '@melmastoon/chassis/cache'
import type { OperationExamples } from '@melmastoon/chassis/http'
import { directionOf, type Locale } from '@melmastoon/domain'
import { messagesOf } from '@melmastoon/domain/messages'
import { locale, named } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'

/** The texts for users, by the `userMessageKey` of problems and by the keys of labels. */
export const MessageCatalogue = named(
  'MessageCatalogue',
  Type.Object({
    locale: Type.Unsafe<Locale>({ ...locale(), description: 'The matched locale' }),
    direction: Type.Enum(['ltr', 'rtl'], { description: 'In which the language is written' }),
    messages: Type.Record(Type.String({ pattern: '^(errors|labels)\\.' }), Type.String(), {
      description:
        'ICU MessageFormat: `errors.…` by the `userMessageKey` of problems, and `labels.…` of values ' +
        'that pages show. Arguments are numbers, 0 where they are not known: `retryAfter`, ' +
        '`retryAfterMinutes` and `errorCount` (of `errors`) of problems; `count` of labels (of ' +
        'beds, of rooms left, of nights or days that are required).',
    }),
  }),
)

export type MessageCatalogue = Static<typeof MessageCatalogue>

/** The same for all services: an upstream's problem may have the code of any of them. */
function catalogueOf(tag: Locale): MessageCatalogue {
  return { locale: tag, direction: directionOf(tag), messages: messagesOf(tag) }
}

export const catalogueBytes = constantDocuments(catalogueOf)

const EXAMPLE_KEYS = [
  'errors.general.internal',
  'errors.general.rate_limited',
  'labels.unavailable.sold_out',
] as const

function exampleIn(tag: Locale): MessageCatalogue {
  const all = messagesOf(tag)
  const messages = Object.fromEntries(EXAMPLE_KEYS.map((key) => [key, all[key]]))
  return { ...catalogueOf(tag), messages }
}

/** For the documentation: some of the messages. */
export const messageExamples: OperationExamples = {
  parameters: { locale: 'fa-AF' },
  responses: { 200: exampleIn('fa-AF') },
}
