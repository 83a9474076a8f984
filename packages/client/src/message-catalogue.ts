import { directionOf, type Locale, type TextDirection } from '@melmastoon/domain'
import type { LabelKey, MessageArguments } from '@melmastoon/domain/messages'
import { formatMessage, formatText, supportedLocale } from './format-message.ts'
import { formatProblem, type ServedMessages, type ShownProblem } from './format-problem.ts'
import { type ConnectionOptions, sendOptions } from './send-options.ts'
import { type SendOptions, sendRequest } from './send-request.ts'

export interface CatalogueOptions extends ConnectionOptions {
  /** Of the API, with its prefix: `https://…/bff/consumer/v1`. */
  readonly apiUrl: string
  /** A language tag; `fa` is `fa-AF`, and English is used for languages that do not exist. */
  readonly locale: string
}

/**
 * The texts for users in one language: those of this package until `refresh` has received those of
 * the service, which may have been released later.
 */
export class MessageCatalogue {
  readonly locale: Locale
  readonly direction: TextDirection
  readonly #url: string
  readonly #send: SendOptions
  #served: ServedMessages = {}
  #etag: string | null = null

  constructor(options: CatalogueOptions) {
    this.locale = supportedLocale(options.locale)
    this.direction = directionOf(this.locale)
    this.#url = `${options.apiUrl.replace(/\/+$/, '')}/messages/${this.locale}`
    this.#send = { ...sendOptions(options), acceptsNotModified: true }
  }

  /**
   * Requests the texts of the service; unchanged ones (`If-None-Match`) are not transferred again.
   * @returns whether they have changed
   * @throws ApiProblem, ApiUnreachable; the earlier texts stay
   */
  async refresh({ signal }: { readonly signal?: AbortSignal } = {}): Promise<boolean> {
    const headers = this.#etag === null ? {} : { 'if-none-match': this.#etag }
    const request = new Request(this.#url, { headers, signal: signal ?? null })
    const response = await sendRequest(request, this.#send)
    if (response.status === 304) return false
    const { messages } = (await response.json()) as { readonly messages: ServedMessages }
    this.#served = messages
    this.#etag = response.headers.get('etag')
    return true
  }

  /** The text of a shown value, `labels.board.breakfast`: of the service, else of this package. */
  label(key: LabelKey, values: Partial<Pick<MessageArguments, 'count'>> = {}): string {
    const served = Object.hasOwn(this.#served, key) ? this.#served[key] : undefined
    if (served === undefined) return formatMessage(key, this.locale, values)
    return formatText(served, this.locale, values)
  }

  /** The text of a problem: of the service, else of this package. */
  format(problem: ShownProblem): string {
    return formatProblem(problem, this.locale, this.#served)
  }
}
