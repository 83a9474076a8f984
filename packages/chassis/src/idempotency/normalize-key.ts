import { type Problem, problem } from '@melmastoon/domain'

const KEY_LENGTH_MIN = 16
const KEY_LENGTH_MAX = 255

/** Visible ASCII without the comma, by which a proxy joins header lines. */
const VISIBLE = /^[!-+\--~]+$/
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/

/**
 * The key from the lines of one header, or `null` when the header is absent. The bare form and the
 * quoted string of RFC 8941 §3.3.3 name the same key. Several lines are rejected.
 */
export function normalizeKey(lines: readonly string[] | undefined): string | null {
  if (lines === undefined || lines.length === 0) return null
  const [line = '', ...others] = lines
  if (others.length > 0) throw invalidKey('Send the idempotency key in one header line.')
  const key = unquote(line.trim())
  if (!isKey(key)) throw invalidKey(KEY_RULE)
  return key
}

const KEY_RULE = `An idempotency key has ${KEY_LENGTH_MIN} to ${KEY_LENGTH_MAX} visible ASCII characters, no comma.`

function isKey(key: string): boolean {
  return key.length >= KEY_LENGTH_MIN && key.length <= KEY_LENGTH_MAX && VISIBLE.test(key)
}

/** A key that is part of a path. @throws Problem KEY_INVALID with the pointer of the parameter. */
export function pathKey(value: string, pointer: string): string {
  if (isKey(value)) return value
  throw problem('MELMASTOON.IDEMPOTENCY.KEY_INVALID', {
    detail: KEY_RULE,
    errors: [{ ...FAULTS.KEY_INVALID, pointer }],
  })
}

/** D8: `X-Idempotency-Key` is an alias; both may be present only when they agree. */
export function chooseKey(
  lines: readonly string[] | undefined,
  aliasLines: readonly string[] | undefined,
): string {
  const key = normalizeKey(lines)
  const alias = normalizeKey(aliasLines)
  if (key !== null && alias !== null && key !== alias) {
    throw invalidKey('Idempotency-Key and X-Idempotency-Key differ.')
  }
  const chosen = key ?? alias
  if (chosen === null) {
    throw keyProblem(
      'KEY_MISSING',
      'Send an Idempotency-Key header with a new value for each operation.',
    )
  }
  return chosen
}

function unquote(line: string): string {
  if (!line.startsWith('"')) return line
  const inner = QUOTED.exec(line)?.[1]
  if (inner === undefined) throw invalidKey('The idempotency key is not a well-formed string.')
  return inner.replaceAll(/\\(["\\])/g, '$1')
}

function invalidKey(detail: string): Problem {
  return keyProblem('KEY_INVALID', detail)
}

const FAULTS = {
  KEY_MISSING: { pointer: '/headers/idempotency-key', code: 'required', detail: 'is required' },
  KEY_INVALID: { pointer: '/headers/idempotency-key', code: 'invalid', detail: 'is not a key' },
} as const

function keyProblem(name: keyof typeof FAULTS, detail: string): Problem {
  return problem(`MELMASTOON.IDEMPOTENCY.${name}`, { detail, errors: [FAULTS[name]] })
}
