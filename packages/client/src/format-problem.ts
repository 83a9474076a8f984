import { type MessageArguments, messagesOf } from '@melmastoon/domain/messages'
import { formatText, supportedLocale } from './format-message.ts'

/** An `ApiProblem`, or the document of a service. */
export interface ShownProblem {
  readonly userMessageKey: string
  readonly errors?: readonly unknown[]
  readonly retryAfter?: number | null
  readonly retryAfterSeconds?: number | null
}

/** Of `GET /messages/{locale}`: texts of a newer release than this package. */
export type ServedMessages = Readonly<Record<string, string>>

const UNKNOWN_KEY = 'errors.general.internal'
const SECONDS_PER_MINUTE = 60

/**
 * The text of a problem for the user, in the language that matches the tag (`fa` is `fa-AF`), else
 * in English. A key that is not known has the text of an internal error.
 */
export function formatProblem(
  problem: ShownProblem,
  locale: string,
  served: ServedMessages = {},
): string {
  const tag = supportedLocale(locale)
  const { userMessageKey: key } = problem
  const shipped = messagesOf(tag)
  const text = textOf(served, key) ?? textOf(shipped, key) ?? shipped[UNKNOWN_KEY]
  return formatText(text, tag, argumentsOf(problem))
}

function textOf(messages: ServedMessages, key: string): string | undefined {
  return Object.hasOwn(messages, key) ? messages[key] : undefined
}

function argumentsOf(problem: ShownProblem): Partial<MessageArguments> {
  const retryAfter = problem.retryAfterSeconds ?? problem.retryAfter ?? 0
  return {
    retryAfter,
    retryAfterMinutes: Math.ceil(retryAfter / SECONDS_PER_MINUTE),
    errorCount: problem.errors?.length ?? 0,
  }
}
