import { isIsoDate, isRfc3339 } from '@melmastoon/domain'
import { Ajv2020, type AnySchema, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import { compileOnce, createBuilder } from './compile-once.ts'
import { validateOnce } from './json-bodies.ts'

/**
 * Formats by our own functions, so that schema and code agree about dates. Handlers convert a
 * `date-time`, which is any RFC 3339 text, by `normalizeDateTime` or to a `Date`.
 */
const FORMATS = {
  date: (value: string) => isIsoDate(value),
  'date-time': (value: string) => isRfc3339(value),
  uri: (value: string) => URL.canParse(value),
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  email: /^[^\s@]{1,64}@[^\s@.]{1,63}(?:\.[^\s@.]{1,63}){1,8}$/,
}

const SHARED: Options = {
  allErrors: true,
  removeAdditional: false,
  useDefaults: true,
  allowUnionTypes: true,
  strictTypes: false,
  strictTuples: false,
  formats: FORMATS,
  keywords: ['example'],
}

type Compile = (route: unknown) => ValidateFunction

/** Apps with the same shared schemas use one pair of validators: building one takes long. */
const validatorOf = compileOnce((external) => buildValidator(external as Record<string, AnySchema>))

export function createValidatorBuilder(): (external: unknown) => Compile {
  return createBuilder(validatorOf)
}

/**
 * Bodies are JSON and have types; query strings and paths are text and must be converted. Unknown
 * members are errors and never ignored, because the client intended something by them.
 */
function buildValidator(schemas: Record<string, AnySchema>): Compile {
  const strict = new Ajv2020({ ...SHARED, coerceTypes: false })
  // A text such as `1e400` becomes Infinity, which strict numbers would exempt from every bound.
  const lenient = new Ajv2020({ ...SHARED, coerceTypes: 'array', strictNumbers: false })
  for (const schema of Object.values(schemas)) {
    strict.addSchema(schema)
    lenient.addSchema(schema)
  }
  const body = compileOnce((schema) => validateOnce(strict.compile(schema as AnySchema)))
  const text = compileOnce((schema) => lenient.compile(schema as AnySchema))
  // Fastify types this as a schema, but it is a definition that also names the part of the request.
  return (route) => {
    const { schema, httpPart } = route as { schema: unknown; httpPart?: string }
    return httpPart === 'body' ? body(schema) : text(schema)
  }
}
