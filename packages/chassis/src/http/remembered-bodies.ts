import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The same bodies come again and again: each is read and checked once, and equal texts are one
     * object. Handlers get it frozen.
     */
    remembersBodies?: boolean
    bodies?: LRUCache<string, object>
  }
}

const BODIES_MAX = 5_000
/** Bodies that are kept, and whether they have passed their route's check. */
const remembered = new WeakMap<object, { passed: boolean }>()
/** A longer one is read each time: memory is bounded by what a question needs. */
const TEXT_LENGTH_MAX = 1_024

export function registerRememberedBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addHook('onRoute', (route) => {
    if (route.config?.remembersBodies !== true) return
    route.config = { ...route.config, bodies: new LRUCache({ max: BODIES_MAX }) }
  })
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => {
      const { bodies } = request.state.config
      const known = bodies?.get(text)
      if (known !== undefined) {
        done(null, known)
        return
      }
      void parse(request, text, (error, body: unknown) => {
        if (bodies !== undefined && text.length <= TEXT_LENGTH_MAX && isObject(body)) {
          bodies.set(text, body)
          remembered.set(body, { passed: false })
        }
        done(error, body)
      })
    },
  )
}

/** What is remembered is checked once, and frozen so that it stays what was checked. */
export function checkOnce(validate: ValidateFunction): ValidateFunction {
  const { schema, schemaEnv } = validate
  const check = (body: unknown): body is unknown => {
    const memory = isObject(body) ? remembered.get(body) : undefined
    if (memory?.passed === true) return true
    const isValid = validate(body)
    checked.errors = validate.errors ?? null
    if (isValid && memory !== undefined) {
      memory.passed = true
      freezeWhole(body as object)
    }
    return isValid
  }
  const checked: ValidateFunction = Object.assign(check, { schema, schemaEnv })
  return checked
}

function freezeWhole(value: object): void {
  for (const part of Object.values(value)) if (isObject(part)) freezeWhole(part)
  Object.freeze(value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
