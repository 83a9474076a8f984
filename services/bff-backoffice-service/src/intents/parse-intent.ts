import { type FieldError, fieldError, type Id, isId, isRfc3339 } from '@melmastoon/domain'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { findErrors } from './find-errors.ts'
import type { Intent } from './intent.ts'
import { findIntentKind } from './intent-table.ts'

const intentId = (options: { readonly description?: string } = {}) =>
  Type.Unsafe<Id<'int'>>(Type.String({ pattern: '^int_[0-7][0-9A-HJKMNP-TV-Z]{25}$', ...options }))

/** The members that every intent has; `expect` and `args` depend on its name. */
export const IntentSchema = Type.Object(
  {
    intentId: intentId(),
    seq: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Orders the intents of this device on one resource',
    }),
    name: Type.String({ pattern: '^[a-z_]{1,30}\\.[a-z_]{1,30}$' }),
    resourceId: Type.String({ pattern: '^[a-z]{2,4}_[0-7][0-9A-HJKMNP-TV-Z]{25}$' }),
    expect: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The state that the operator had seen, for example `{"version": 7}`',
      }),
    ),
    args: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    occurredAt: Type.String({ format: 'date-time', description: 'By the clock of the device' }),
    dependsOn: Type.Optional(
      intentId({
        description:
          'An intent of this device that must have reached its goal. This one waits for it: ten ' +
          'minutes until it arrives, a day until it has a verdict; after that this one is rejected',
      }),
    ),
  },
  { additionalProperties: false },
)

const validator = Compile(IntentSchema)

/** As sent. Nothing is stored for an invalid one, so that it can be corrected under its id. */
export interface SentIntent {
  /** Null: it has no usable id. */
  readonly intentId: Id<'int'> | null
  /** Undefined: not even its envelope is valid. */
  readonly intent: Intent | undefined
  /** Empty: valid. */
  readonly errors: readonly FieldError[]
}

export function parseIntent(sent: unknown): SentIntent {
  if (!validator.Check(sent)) {
    return { intentId: idOf(sent), intent: undefined, errors: findErrors(validator, sent) }
  }
  const { intentId, occurredAt } = sent
  if (!isRfc3339(occurredAt)) return { intentId, intent: undefined, errors: [NO_INSTANT] }
  const intent = toIntent(sent)
  return { intentId, intent, errors: contentErrors(intent) }
}

const NO_INSTANT = fieldError('/occurredAt', 'format', 'must be an instant (RFC 3339)')

function contentErrors(intent: Intent): readonly FieldError[] {
  const kind = findIntentKind(intent.name)
  return kind?.errorsOf(intent) ?? [fieldError('/name', 'enum', 'is not the name of an intent')]
}

function toIntent({ occurredAt, dependsOn, ...rest }: Static<typeof IntentSchema>): Intent {
  return {
    ...rest,
    expect: rest.expect ?? {},
    args: rest.args ?? {},
    occurredAt: new Date(occurredAt),
    ...(dependsOn !== undefined && { dependsOn }),
  }
}

function idOf(sent: unknown): Id<'int'> | null {
  if (typeof sent !== 'object' || sent === null || !('intentId' in sent)) return null
  return isId('int', sent.intentId) ? sent.intentId : null
}
