import { idPattern } from '@melmastoon/domain'
import { type Static, Type } from 'typebox'
import { id, locale, MicroMoney, ResourceHistory, StaffChange, text } from '../schemas.ts'

export const OPERATOR_ROLES = [
  'front_desk',
  'housekeeping',
  'maintenance',
  'general_manager',
  'owner',
] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

export const OPERATOR_STATUSES = ['active', 'disabled'] as const

const roles = () =>
  Type.Array(Type.Enum([...OPERATOR_ROLES]), { minItems: 1, maxItems: 5, uniqueItems: true })

const version = () => Type.Integer({ minimum: 1 })

/** `*` for all properties of the tenant, also future ones. */
const properties = () =>
  Type.Union([Type.Literal('*'), Type.Array(id('ppt'), { maxItems: 100, uniqueItems: true })])

/** A member of staff. */
export const Operator = Type.Object({
  operatorId: id('opr'),
  displayName: text(120),
  roles: roles(),
  /** Leads a housekeeping or maintenance team: inspects and assigns. */
  isLead: Type.Boolean(),
  properties: properties(),
  status: Type.Enum([...OPERATOR_STATUSES]),
  /** A larger charge requires a second factor; absent: no charge is too large. */
  chargeLimit: Type.Optional(MicroMoney),
  locale: locale(),
  version: version(),
})
export type Operator = Static<typeof Operator>

/** The operator's own settings at one property, defined by the back-office application. */
export const OperatorPreferences = Type.Object({
  payload: Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), { maxProperties: 100 }),
  /** 0 before the first change. */
  version: Type.Integer({ minimum: 0 }),
  history: ResourceHistory(Type.Literal('saved')),
})
export type OperatorPreferences = Static<typeof OperatorPreferences>

const OperatorParams = Type.Object({ operatorId: id('opr') })
const AtProperty = Type.Object({ propertyId: id('ppt') })
const OPERATOR = idPattern('opr').slice(1, -1)

const onOperator = { params: OperatorParams, tenantScoped: true } as const

export const operatorOperations = {
  getOperator: {
    ...onOperator,
    method: 'GET',
    path: '/operators/:operatorId',
    summary: 'Get an operator, whatever the status',
    response: Operator,
    errorCodes: ['MELMASTOON.TENANT.OPERATOR_NOT_FOUND'],
  },
  listOperators: {
    method: 'GET',
    path: '/operators',
    summary: 'List operators of the tenant by id; unknown ids are omitted',
    query: Type.Object({
      /** Up to 100 ids, separated by commas; without it the first 100 operators. */
      ids: Type.Optional(Type.String({ pattern: `^${OPERATOR}(,${OPERATOR}){0,99}$` })),
    }),
    response: Type.Object({ operators: Type.Array(Operator, { maxItems: 100 }) }),
    tenantScoped: true,
    errorCodes: [],
  },
  setOperatorRole: {
    ...onOperator,
    method: 'PUT',
    path: '/operators/:operatorId/role',
    summary: 'Change roles, properties and status of an operator',
    body: Type.Object({
      ...StaffChange,
      roles: roles(),
      isLead: Type.Optional(Type.Boolean()),
      properties: Type.Optional(properties()),
      /** A disabled operator is signed out everywhere. */
      status: Type.Optional(Type.Enum([...OPERATOR_STATUSES])),
    }),
    response: Operator,
    idempotent: true,
    errorCodes: ['MELMASTOON.TENANT.OPERATOR_NOT_FOUND', 'MELMASTOON.TENANT.VERSION_CONFLICT'],
  },
  getOperatorPreferences: {
    ...onOperator,
    method: 'GET',
    path: '/operators/:operatorId/preferences',
    summary: 'Get the preferences of an operator at a property, empty at first',
    query: AtProperty,
    response: OperatorPreferences,
    errorCodes: ['MELMASTOON.TENANT.OPERATOR_NOT_FOUND'],
  },
  putOperatorPreferences: {
    ...onOperator,
    method: 'PUT',
    path: '/operators/:operatorId/preferences',
    summary: 'Replace the preferences of an operator at a property',
    query: AtProperty,
    body: Type.Object({
      payload: OperatorPreferences.properties.payload,
      /** The version that was read: 0 for the first change. */
      expectedVersion: Type.Integer({ minimum: 0 }),
      actor: StaffChange.actor,
      causationId: StaffChange.causationId,
    }),
    response: OperatorPreferences,
    idempotent: true,
    errorCodes: ['MELMASTOON.TENANT.OPERATOR_NOT_FOUND', 'MELMASTOON.TENANT.VERSION_CONFLICT'],
  },
} as const
