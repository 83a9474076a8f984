import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { EventDefinition } from './definition.ts'
import { EventEnvelope } from './envelope.ts'
import { openSchema } from './schema-walk.ts'

export interface Validators {
  /** For events we emit: unknown fields are rejected. */
  strict(definition: EventDefinition): ValidateFunction
  /** For events we receive: additional fields of a newer producer are accepted. */
  tolerant(definition: EventDefinition): ValidateFunction
}

/** One compiled function per definition and direction; the envelope is compiled once for all. */
export const validators: Validators = {
  strict: memoize(createCompiler((schema) => schema)),
  tolerant: memoize(createCompiler(openSchema)),
}

type Compile = (definition: EventDefinition) => ValidateFunction

function createCompiler(adapt: (schema: unknown) => unknown): Compile {
  // Otherwise the code of the envelope would be repeated, and compiled, for every event.
  const ajv = new Ajv2020({ strict: true, allErrors: false, inlineRefs: false })
  addFormats.default(ajv, ['date-time', 'date'])
  ajv.addSchema({ ...(adapt(EventEnvelope) as object), $id: 'envelope' })
  return (definition) =>
    ajv.compile({
      type: 'object',
      required: ['envelope', 'payload'],
      properties: { envelope: { $ref: 'envelope' }, payload: adapt(definition.payload) },
    })
}

function memoize(compile: Compile): Compile {
  const compiled = new WeakMap<EventDefinition, ValidateFunction>()
  return (definition) => {
    const known = compiled.get(definition)
    if (known !== undefined) return known
    const validate = compile(definition)
    compiled.set(definition, validate)
    return validate
  }
}
