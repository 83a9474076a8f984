import { type Id, isId, isIsoDateTime } from '@melmastoon/domain'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Intent } from './intent.ts'

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

/** As sent: the id, if it has a usable one, so that a verdict can be stored for it. */
export interface SentIntent {
  readonly intentId: Id<'int'> | null
  /** Undefined: invalid. */
  readonly intent: Intent | undefined
  readonly sent: unknown
}

export function parseIntent(sent: unknown): SentIntent {
  if (!validator.Check(sent) || !isIsoDateTime(sent.occurredAt)) {
    return { intentId: idOf(sent), intent: undefined, sent }
  }
  return { intentId: sent.intentId, intent: toIntent(sent), sent }
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
