import { DEFAULT_LOCALE, type Locale, matchLocale } from '@melmastoon/domain'
import { type MessageArguments, type MessageKey, messagesOf } from '@melmastoon/domain/messages'
import { IntlMessageFormat } from 'intl-messageformat'

const NO_ARGUMENTS: MessageArguments = {
  retryAfter: 0,
  retryAfterMinutes: 0,
  errorCount: 0,
  count: 0,
}

/**
 * The text of a message that is shipped with this package, in the language that matches the tag
 * (`fa` is `fa-AF`), else in English. Arguments that are absent are 0. A value that this version
 * does not know, because the service is newer, is returned as it is: `labels.board.brunch` as
 * `brunch`.
 *
 * @example formatMessage('errors.general.rate_limited', 'ps', { retryAfter: 30 })
 * @example formatMessage(`labels.board.${offer.board}`, 'fa')
 */
export function formatMessage(
  key: MessageKey,
  locale: string,
  values: Partial<MessageArguments> = {},
): string {
  const tag = supportedLocale(locale)
  const texts: Readonly<Record<string, string>> = messagesOf(tag)
  const text = Object.hasOwn(texts, key) ? texts[key] : undefined
  return text === undefined ? key.slice(key.lastIndexOf('.') + 1) : formatText(text, tag, values)
}

/** The language in which texts for the tag are shown. */
export function supportedLocale(tag: string): Locale {
  return matchLocale(tag) ?? DEFAULT_LOCALE
}

export function formatText(text: string, tag: Locale, values: Partial<MessageArguments>): string {
  return compiled(text, tag).format({ ...NO_ARGUMENTS, ...values }) as string
}

/** More than the messages of all languages; parsing one takes longer than formatting it. */
const COMPILED_MAX = 2_000
const formats = new Map<string, IntlMessageFormat>()

function compiled(text: string, tag: Locale): IntlMessageFormat {
  const key = `${tag} ${text}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const format = new IntlMessageFormat(text, tag, undefined, { ignoreTag: true })
  if (formats.size < COMPILED_MAX) formats.set(key, format)
  return format
}
