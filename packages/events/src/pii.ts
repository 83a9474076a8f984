import type { EventDefinition } from './definition.ts'
import {
  asSchema,
  isObjectSchema,
  type JsonSchema,
  propertiesOf,
  variantsOf,
} from './schema-walk.ts'

/**
 * Field names that contain no personal data wherever they appear. A field that is neither here nor
 * on the list of its event fails the build.
 */
export const SAFE_FIELDS: ReadonlySet<string> = new Set([
  'tenantId',
  'tenantSlug',
  'sessionId',
  'consumerSessionId',
  'propertyId',
  'roomTypeId',
  'ratePlanId',
  'reservationId',
  'draftId',
  'intentId',
  'handoffArrivalId',
  'deviceClass',
  'locale',
  'currency',
  'amountMinor',
  'checkIn',
  'checkOut',
  'nights',
  'adults',
  'children',
  'rooms',
  'source',
  'medium',
  'campaign',
  'cache',
  'createdAt',
  'changedAt',
  'completedAt',
  'occurredAt',
  'viewedAt',
  'elapsedMs',
])

/** Never acceptable in an event, regardless of the allow-lists (event schemas §5); lower case. */
const PERSONAL_PARTS = ['email', 'phone', 'address', 'passport', 'birth', 'nationalid', 'useragent']
const PERSONAL_NAMES = new Set([
  'name',
  'firstname',
  'lastname',
  'fullname',
  'guestname',
  'displayname',
  'mail',
  'country',
  'ip',
  'cardnumber',
  'note',
  'notes',
  'comment',
  'text',
  'message',
  'password',
  'token',
  'secret',
])
/** Keyed hashes of personal values are allowed (D13), marked by their name and pattern. */
const HASHED_FIELD = /Hash$/
const HASH_PATTERN_START = '^sha256:'

/** Problems of one definition, as `payload/path: reason`; empty when the event is clean. */
export function findPersonalData(definition: EventDefinition): string[] {
  const allowed = new Set([...SAFE_FIELDS, ...(definition.piiAllowed ?? [])])
  const schema = asSchema(definition.payload) ?? {}
  return checkSchema(schema, { path: 'payload', name: null, allowed })
}

interface Place {
  readonly path: string
  readonly name: string | null
  readonly allowed: ReadonlySet<string>
}

function checkSchema(schema: JsonSchema, place: Place): string[] {
  const variants = variantsOf(schema).flatMap((variant) => checkSchema(variant, place))
  if (isObjectSchema(schema)) return [...variants, ...checkObject(schema, place)]
  if (variantsOf(schema).length > 0) return variants
  if (schema['type'] === 'array') return checkArray(schema, place)
  return checkLeaf(schema, place)
}

function checkObject(schema: JsonSchema, place: Place): string[] {
  const children = propertiesOf(schema).flatMap(([name, child]) =>
    checkSchema(child, { ...place, name, path: `${place.path}/${name}` }),
  )
  const isOpen = schema['additionalProperties'] !== false
  if (isOpen || schema['patternProperties'] !== undefined) {
    return [`${place.path}: an open object can carry anything`, ...children]
  }
  return children
}

function checkArray(schema: JsonSchema, place: Place): string[] {
  const items = asSchema(schema['items'])
  if (items === null) return [`${place.path}: an array without an item schema can carry anything`]
  return checkSchema(items, { ...place, path: `${place.path}/*` })
}

function isPersonal(name: string): boolean {
  const plainName = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  return PERSONAL_NAMES.has(plainName) || PERSONAL_PARTS.some((part) => plainName.includes(part))
}

function checkLeaf(schema: JsonSchema, { path, name, allowed }: Place): string[] {
  if (
    schema['type'] === undefined &&
    schema['const'] === undefined &&
    !Array.isArray(schema['enum'])
  ) {
    return [`${path}: a field without a type can carry anything`]
  }
  if (name === null) return [`${path}: the payload must be an object`]
  if (schema['type'] === 'null') return []
  const isHash = HASHED_FIELD.test(name)
  if (isHash && !String(schema['pattern']).startsWith(HASH_PATTERN_START)) {
    return [`${path}: a hash needs a pattern that starts with ${HASH_PATTERN_START}`]
  }
  if (isPersonal(name) && !isHash) return [`${path}: personal data`]
  return allowed.has(name) ? [] : [`${path}: not in an allow-list`]
}
