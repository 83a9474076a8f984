/**
 * Texts for users. A module of its own, so that bundlers omit the texts and their formatter from
 * applications that do not use them.
 */
export { LOCALES, type Locale, type TextDirection, type UserMessageKey } from '@melmastoon/domain'
export {
  type LabelKey,
  type MessageArguments,
  type MessageKey,
  type Messages,
  messagesOf,
} from '@melmastoon/domain/messages'
export { formatMessage } from './format-message.ts'
export { formatProblem, type ServedMessages, type ShownProblem } from './format-problem.ts'
export { type CatalogueOptions, MessageCatalogue } from './message-catalogue.ts'
