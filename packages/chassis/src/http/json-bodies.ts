import { isUtf8 } from 'node:buffer'
import { problem } from '@melmastoon/domain'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { keepRawBody, watchRawBodies } from './raw-body.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * For routes that receive the same bodies again and again: each body is parsed and validated
     * once, and equal texts yield the same object. Handlers receive it frozen.
     */
    cachesBodies?: boolean
    bodies?: LRUCache<string, object>
  }
}

export const BODIES_MAX = 5_000
/** Longer bodies are parsed each time, which bounds the memory of the cache. */
export const TEXT_LENGTH_MAX = 1_024

/** Cached bodies, and whether they have passed the validation of their route. */
const cached = new WeakMap<object, { passed: boolean }>()

/**
 * JSON is UTF-8 (RFC 8259 §8.1). Another charset is 415, bytes that are not UTF-8 are 400: decoding
 * them leniently would store text that the client did not send. A byte order mark is ignored.
 */
export function registerJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  watchRawBodies(app)
  app.addHook('onRoute', (route) => {
    if (route.config?.cachesBodies !== true) return
    route.config = { ...route.config, bodies: new LRUCache({ max: BODIES_MAX }) }
  })
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, bytes, done) => {
      if (request.state.config.rawBody === 'unparsed') {
        keepRawBody(request, bytes)
        done(null, undefined)
        return
      }
      const rejection = rejectionOfBytes(request.headers['content-type'], bytes)
      if (rejection !== undefined) {
        done(rejection)
        return
      }
      keepRawBody(request, bytes)
      const text = bytes.toString('utf8')
      const { bodies } = request.state.config
      const known = bodies?.get(text)
      if (known !== undefined) {
        done(null, known)
        return
      }
      void parse(request, text, (error, body: unknown) => {
        if (bodies !== undefined && text.length <= TEXT_LENGTH_MAX && isObject(body)) {
          bodies.set(text, body)
          cached.set(body, { passed: false })
        }
        done(error, body)
      })
    },
  )
}

/** The body with this text, if its route has parsed and validated it before. */
export function validatedBody({ bodies }: FastifyContextConfig, text: string): object | undefined {
  const body = bodies?.get(text)
  return body !== undefined && cached.get(body)?.passed === true ? body : undefined
}

function rejectionOfBytes(contentType: string | undefined, bytes: Buffer): Error | undefined {
  if (!isUtf8Charset(contentType)) return problem('MELMASTOON.GENERAL.UNSUPPORTED_MEDIA_TYPE')
  return isUtf8(bytes) ? undefined : problem('MELMASTOON.GENERAL.MALFORMED_BODY')
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/gi
const UTF8_CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii'])

function isUtf8Charset(contentType = ''): boolean {
  if (!contentType.includes(';')) return true
  return [...contentType.matchAll(CHARSET)].every(([, name = '']) =>
    UTF8_CHARSETS.has(name.toLowerCase()),
  )
}

/** A cached body is validated once, and frozen so that it cannot change afterwards. */
export function validateOnce(validate: ValidateFunction): ValidateFunction {
  const { schema, schemaEnv } = validate
  const check = (body: unknown): body is unknown => {
    const entry = isObject(body) ? cached.get(body) : undefined
    if (entry?.passed === true) return true
    const isValid = validate(body)
    checked.errors = validate.errors ?? null
    if (isValid && entry !== undefined) {
      entry.passed = true
      deepFreeze(body as object)
    }
    return isValid
  }
  const checked: ValidateFunction = Object.assign(check, { schema, schemaEnv })
  return checked
}

function deepFreeze(value: object): void {
  for (const part of Object.values(value)) if (isObject(part)) deepFreeze(part)
  Object.freeze(value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
