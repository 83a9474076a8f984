import { Ajv, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import type { RawResponse } from './receive-response.ts'
import { UpstreamFailure } from './upstream-failure.ts'

/** @throws UpstreamFailure when the body is not JSON. */
export function parseBody(upstream: string, { status, headers, bytes }: RawResponse): unknown {
  if (status === 204) return undefined
  if (!isJson(headers['content-type'])) throw contractBroken(upstream, 'content type')
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw contractBroken(upstream, error)
  }
}

export function isJson(contentType: string | string[] | undefined): boolean {
  return typeof contentType === 'string' && /^application\/([\w.-]+\+)?json\b/.test(contentType)
}

function contractBroken(upstream: string, cause: unknown): UpstreamFailure {
  return new UpstreamFailure(upstream, 'contract', cause)
}

/**
 * A response is validated against the contract and may contain more: an upstream may add fields at
 * any time, and only a missing or changed one breaks the contract.
 */
const ajv = new Ajv({ strict: false, allErrors: false })
const compiled = new WeakMap<TSchema, ValidateFunction>()

/** Location of the first contract violation; null without one. */
export function findDrift(schema: TSchema, value: unknown): string | null {
  const validate = compiled.get(schema) ?? compile(schema)
  if (validate(value)) return null
  const [first] = validate.errors ?? []
  return `${first?.instancePath ?? ''} ${first?.keyword ?? 'unknown'}`
}

function compile(schema: TSchema): ValidateFunction {
  const validate = ajv.compile(schema)
  compiled.set(schema, validate)
  return validate
}
