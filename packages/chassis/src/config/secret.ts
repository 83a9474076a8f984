import { inspect } from 'node:util'

const REDACTED = '[redacted]'

/**
 * A value that is revealed only by a method call. Every accidental way of printing it (template
 * string, JSON, `util.inspect`, spreading into a log line) shows a placeholder instead (P3).
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return REDACTED
  }

  toJSON(): string {
    return REDACTED
  }

  [inspect.custom](): string {
    return REDACTED
  }
}
