import { readFileSync } from 'node:fs'
import { Secret } from './secret.ts'
import { type Env, type Setting, setting } from './setting.ts'

interface Fallback<T> {
  default?: T
  placeholder?: string
}

/** Takes a plain copy: blank values count as absent, surrounding white space is dropped. */
export function readEnv(env: Env): Env {
  const copy: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(env)) {
    const trimmed = value?.trim()
    if (trimmed) copy[name] = trimmed
  }
  return copy
}

export function envString(
  variable: string,
  options: Fallback<string> & { pattern?: RegExp } = {},
): Setting<string> {
  return setting(variable, options, (raw, reject) =>
    options.pattern && !options.pattern.test(raw)
      ? reject(`does not match ${options.pattern.source}`)
      : raw,
  )
}

export function envChoice<const T extends string>(
  variable: string,
  choices: readonly T[],
  options: Fallback<NoInfer<T>> = {},
): Setting<T> {
  return setting<T>(
    variable,
    { placeholder: options.default ?? choices[0], ...options },
    (raw, reject) =>
      choices.find((choice) => choice === raw) ?? reject(`must be one of ${choices.join(', ')}`),
  )
}

export interface IntOptions extends Fallback<number> {
  min?: number
  max?: number
  optional?: boolean
}

export function envInt(
  variable: string,
  options: IntOptions & { optional: true },
): Setting<number | undefined>
export function envInt(variable: string, options?: IntOptions): Setting<number>
export function envInt(variable: string, options: IntOptions = {}): Setting<number | undefined> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options
  return setting<number | undefined>(variable, options, (raw, reject) => {
    const value = /^-?\d{1,16}$/.test(raw) ? Number(raw) : Number.NaN
    return value >= min && value <= max
      ? value
      : reject(`must be a whole number from ${min} to ${max}`)
  })
}

/** A decimal between 0 and 1, such as a sampling rate. */
export function envRatio(variable: string, options: Fallback<number> = {}): Setting<number> {
  return setting(variable, options, (raw, reject) => {
    const value = /^\d(\.\d{1,9})?$/.test(raw) ? Number(raw) : Number.NaN
    return value >= 0 && value <= 1 ? value : reject('must be a number from 0 to 1')
  })
}

export function envBool(variable: string, options: Fallback<boolean> = {}): Setting<boolean> {
  return setting(variable, options, (raw, reject) => {
    if (raw === 'true' || raw === '1') return true
    if (raw === 'false' || raw === '0') return false
    return reject('must be true or false')
  })
}

/** Comma-separated; empty items are rejected, because they are nearly always a mistake. */
export function envList(
  variable: string,
  options: Fallback<readonly string[]> = {},
): Setting<readonly string[]> {
  return setting(variable, options, (raw, reject) => {
    const items = raw.split(',').map((item) => item.trim())
    return items.includes('') ? reject('has an empty item') : items
  })
}

export interface UrlOptions extends Fallback<string> {
  protocols?: readonly string[]
  optional?: boolean
}

export function envUrl(
  variable: string,
  options: UrlOptions & { optional: true },
): Setting<string | undefined>
export function envUrl(variable: string, options?: UrlOptions): Setting<string>
export function envUrl(variable: string, options: UrlOptions = {}): Setting<string | undefined> {
  const protocols = options.protocols ?? ['http', 'https']
  const fallback = { ...(!options.optional && { placeholder: unusedUrl(protocols) }), ...options }
  return setting<string | undefined>(variable, fallback, (raw, reject) => {
    const scheme = URL.parse(raw)?.protocol.slice(0, -1)
    return scheme !== undefined && protocols.includes(scheme)
      ? raw
      : reject(`must be a URL with ${protocols.join(' or ')}`)
  })
}

/** Nothing listens on port 1. */
function unusedUrl(protocols: readonly string[]): string {
  return `${protocols[0] ?? 'http'}://127.0.0.1:1`
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** `250ms`, `5s`, `10m`, `12h`. A number without a unit is rejected as ambiguous. */
export function envDuration(
  variable: string,
  options: { defaultMs?: number; minMs?: number; maxMs?: number } = {},
): Setting<number> {
  const { minMs = 0, maxMs = Number.MAX_SAFE_INTEGER } = options
  return setting(variable, { default: options.defaultMs }, (raw, reject) => {
    const [, digits = '', unit = ''] = /^(\d{1,9})(ms|s|m|h)$/.exec(raw) ?? []
    const valueMs = Number(digits) * (UNIT_MS[unit] ?? Number.NaN)
    return valueMs >= minMs && valueMs <= maxMs
      ? valueMs
      : reject(`must be a duration such as 5s, from ${minMs}ms to ${maxMs}ms`)
  })
}

export interface SecretOptions {
  minLength?: number
  optional?: boolean
  placeholder?: string
}

export function envSecret(
  variable: string,
  options: SecretOptions & { optional: true },
): Setting<Secret | undefined>
export function envSecret(variable: string, options?: SecretOptions): Setting<Secret>
export function envSecret(
  variable: string,
  options: SecretOptions = {},
): Setting<Secret | undefined> {
  const { minLength = 16, optional, placeholder = 'x'.repeat(minLength) } = options
  return setting<Secret | undefined>(variable, { optional, placeholder }, (raw, reject) =>
    raw.length >= minLength ? new Secret(raw) : reject(`needs at least ${minLength} characters`),
  )
}

/** The content of the named file. */
export function envFile(variable: string): Setting<string | undefined> {
  return setting<string | undefined>(variable, { optional: true }, (path, reject) => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return reject('must be a file that can be read')
    }
  })
}

/** A ring of keys: `id:state:base64url`, separated by commas. */
export function envKeyRing(
  variable: string,
  options: { optional: true },
): Setting<Secret | undefined>
export function envKeyRing(variable: string): Setting<Secret>
export function envKeyRing(
  variable: string,
  options: { optional?: true } = {},
): Setting<Secret | undefined> {
  const placeholder = `placeholder:active:${Buffer.alloc(32).toString('base64url')}`
  return envSecret(variable, { minLength: 32, placeholder, ...options } as SecretOptions)
}
