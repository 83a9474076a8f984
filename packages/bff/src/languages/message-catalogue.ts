import { constantDocuments } from '@melmastoon/chassis/cache'
import type { OperationExamples } from '@melmastoon/chassis/http'
import { directionOf, type Locale } from '@melmastoon/domain'
import { messagesOf } from '@melmastoon/domain/messages'
import { locale, named } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'

/** The texts for users, by the `userMessageKey` of problems. */
export const MessageCatalogue = named(
  'MessageCatalogue',
  Type.Object({
    locale: Type.Unsafe<Locale>({ ...locale(), description: 'The matched locale' }),
    direction: Type.Enum(['ltr', 'rtl'], { description: 'In which the language is written' }),
    messages: Type.Record(Type.String({ pattern: '^errors\\.' }), Type.String(), {
      description:
        'ICU MessageFormat. Arguments are numbers: `retryAfter` and `retryAfterMinutes`, 0 where ' +
        'it is not known, and `errorCount`, the number of `errors`.',
    }),
  }),
)

export type MessageCatalogue = Static<typeof MessageCatalogue>

/** The same for all services: an upstream's problem may have the code of any of them. */
function catalogueOf(tag: Locale): MessageCatalogue {
  return { locale: tag, direction: directionOf(tag), messages: messagesOf(tag) }
}

export const catalogueBytes = constantDocuments(catalogueOf)

const EXAMPLE_KEYS = ['errors.general.internal', 'errors.general.rate_limited'] as const

function exampleIn(tag: Locale): MessageCatalogue {
  const all = messagesOf(tag)
  const messages = Object.fromEntries(EXAMPLE_KEYS.map((key) => [key, all[key]]))
  return { ...catalogueOf(tag), messages }
}

/** For the documentation: two of the messages. */
export const messageExamples: OperationExamples = {
  parameters: { locale: 'fa-AF' },
  responses: { 200: exampleIn('fa-AF') },
}
