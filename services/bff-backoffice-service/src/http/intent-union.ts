import { idPattern } from '@melmastoon/domain'
import { type TSchema, Type } from 'typebox'
import { INTENTS } from '../intents/intent-table.ts'
import { IntentSchema } from '../intents/parse-intent.ts'
import { INTENT_EXAMPLES } from './examples/intent-examples.ts'

const { intentId, seq, occurredAt, dependsOn } = IntentSchema.properties

const ENVELOPE_EXAMPLE = {
  intentId: 'int_01M7HH5EE9V4RVEJ8M4RYFWFJ5',
  seq: 1,
  occurredAt: '2026-11-16T06:36:57Z',
}

type Kind = Pick<(typeof INTENTS)[number], 'name' | 'operation' | 'resource' | 'expect' | 'args'>

/** `folio.post_charge` is `FolioPostChargeIntent`. */
function titleOf({ name }: Kind): string {
  const words = name.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Intent`
}

export const exampleOf = ({ name }: Kind) => ({
  ...ENVELOPE_EXAMPLE,
  name,
  ...INTENT_EXAMPLES[name],
})

const hasRequired = (schema: TSchema): boolean =>
  'required' in schema && Array.isArray(schema.required) && schema.required.length > 0

/** What the service accepts under this name; both parts may be omitted where they may be empty. */
function branchOf(kind: Kind) {
  const { name, operation, resource, expect, args } = kind
  return Type.Object(
    {
      intentId,
      seq,
      name: Type.Enum([name]),
      resourceId: Type.String({ pattern: idPattern(resource) }),
      expect: hasRequired(expect) ? expect : Type.Optional(expect),
      args: hasRequired(args) ? args : Type.Optional(args),
      occurredAt,
      dependsOn,
    },
    {
      title: titleOf(kind),
      description: `The change of the operation \`${operation}\`, made offline`,
      additionalProperties: false,
      examples: [exampleOf(kind)],
    },
  )
}

/**
 * For the document: all intents as a union by `name`. The route accepts any value in their place,
 * because an invalid intent must not block the others: each is validated by itself.
 */
export const INTENT_UNION = {
  oneOf: INTENTS.map(branchOf),
  discriminator: {
    propertyName: 'name',
    mapping: Object.fromEntries(
      INTENTS.map((kind) => [kind.name, `#/components/schemas/${titleOf(kind)}`]),
    ),
  },
} as const
