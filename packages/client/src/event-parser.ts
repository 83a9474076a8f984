/** One event as it was sent: `id` is undefined when the event has none of its own. */
export interface ParsedEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: string
}

export interface EventParserOptions {
  readonly onEvent: (event: ParsedEvent) => void
  readonly onRetry: (retryMs: number) => void
}

const LINE_END = /\r\n|\n|\r/g

/** Reads server-sent events (WHATWG HTML §9.2.6) from pieces of text of any size. */
export class EventParser {
  readonly #options: EventParserOptions
  #rest = ''
  #isFirst = true
  #event = ''
  #id: string | undefined
  #data: string[] = []

  constructor(options: EventParserOptions) {
    this.#options = options
  }

  feed(piece: string): void {
    let text = this.#rest + piece
    if (this.#isFirst && text !== '') {
      this.#isFirst = false
      if (text.startsWith('\uFEFF')) text = text.slice(1)
    }
    let start = 0
    for (const { index, 0: end } of text.matchAll(LINE_END)) {
      // The second half of this line end may be in the next piece.
      if (end === '\r' && index === text.length - 1) break
      this.#readLine(text.slice(start, index))
      start = index + end.length
    }
    this.#rest = text.slice(start)
  }

  #readLine(line: string): void {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    if (colon === 0) return
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') this.#data.push(value)
    else if (name === 'event') this.#event = value
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'retry' && /^\d+$/.test(value)) this.#options.onRetry(Number(value))
  }

  #dispatch(): void {
    const [event, id, data] = [this.#event, this.#id, this.#data]
    this.#event = ''
    this.#id = undefined
    this.#data = []
    if (data.length > 0)
      this.#options.onEvent({ event: event || 'message', id, data: data.join('\n') })
  }
}
