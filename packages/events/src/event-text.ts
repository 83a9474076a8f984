import type { FieldError } from '@melmastoon/domain'

/** Far under Pub/Sub's 10 MB, and a batch of 500 stays affordable in memory (OBX-22). */
export const EVENT_MAX_BYTES: number = 256 * 1024
/** A UTF-16 unit takes at most three bytes of UTF-8. */
const MAX_BYTES_PER_UNIT = 3
/**
 * JSON.stringify writes NUL and lone surrogates as escapes; an even run of backslashes before `\u`
 * means that the text itself contains a backslash, which is harmless.
 */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

/**
 * Postgres `jsonb` rejects these only at insert, brokers only at publish: they are rejected at
 * build.
 */
export function checkEventText(text: string): FieldError | null {
  if (text.length * MAX_BYTES_PER_UNIT > EVENT_MAX_BYTES) {
    const bytes = Buffer.byteLength(text)
    if (bytes > EVENT_MAX_BYTES) {
      return { pointer: '', code: 'size', detail: `must not exceed ${EVENT_MAX_BYTES} bytes` }
    }
  }
  if (text.includes('\\u') && UNSTORABLE.test(text)) {
    return { pointer: '', code: 'text', detail: 'must not contain NUL or a lone surrogate' }
  }
  return null
}
