import { type Static, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { currency, id, instant, LocalizedString, locale, text } from '../schemas.ts'
import { operatorOperations } from './operators.ts'

export {
  OPERATOR_ROLES,
  OPERATOR_STATUSES,
  Operator,
  OperatorPreferences,
  type OperatorRole,
} from './operators.ts'

export const TENANT_STATUSES = ['active', 'suspended', 'closed'] as const
export const PAYMENT_METHODS = ['cash_on_arrival', 'card', 'mobile_money'] as const

/** The settings of the hotel's booking site, in addition to its theme. */
const settings = {
  timeZone: text(64),
  locales: Type.Array(locale(), { minItems: 1, maxItems: 3, uniqueItems: true }),
  defaultLocale: locale(),
  currencies: Type.Array(currency(), { minItems: 1, maxItems: 7, uniqueItems: true }),
  primaryCurrency: currency(),
  /** In the order in which they are offered. */
  paymentMethods: Type.Array(Type.Enum([...PAYMENT_METHODS]), { maxItems: 3, uniqueItems: true }),
  /** Booking requires it. */
  paymentEnabled: Type.Boolean(),
  checkInTime: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
  checkOutTime: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
  /** Opt-in: no telemetry of guests of this tenant until they consent. Default: opt-out (D34). */
  telemetryConsent: Type.Optional(Type.Enum(['opt-out', 'opt-in'])),
  policies: Type.Object({
    privacy: LocalizedString,
    terms: LocalizedString,
    accessibility: LocalizedString,
  }),
}

export const TenantSettings = Type.Object(settings)
export type TenantSettings = Static<typeof TenantSettings>

/** Incremented with every change, also of the domains. */
const configVersion = () => Type.Integer({ minimum: 1 })

export const TenantConfig = Type.Object({ version: configVersion(), ...settings })
export type TenantConfig = Static<typeof TenantConfig>

const country = () => Type.String({ pattern: '^[A-Z]{2}$' })

/** A DNS label without the third and fourth dash of an encoded one (RFC 5891 §4.2.3.1). */
const slug = () => Type.String({ pattern: '^(?!..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$' })

/** Longer names exist (RFC 1035 §2.3.4) but are not supported. */
const domain = () => text(150)

export const TenantSummary = Type.Object({
  tenantId: id('tnt'),
  slug: slug(),
  displayName: LocalizedString,
  status: Type.Enum([...TENANT_STATUSES]),
  country: country(),
  region: text(40),
  configVersion: configVersion(),
})
export type TenantSummary = Static<typeof TenantSummary>

export const Tenant = Type.Object({
  tenantId: id('tnt'),
  slug: slug(),
  legalName: text(200),
  displayName: LocalizedString,
  status: Type.Enum([...TENANT_STATUSES]),
  country: country(),
  /** The cloud region that serves the tenant, for example `asia-south1`. */
  region: text(40),
  customDomains: Type.Array(domain(), { maxItems: 20 }),
  config: TenantConfig,
  createdAt: instant(),
  updatedAt: instant(),
})
export type Tenant = Static<typeof Tenant>

const TenantParams = Type.Object({ tenantId: id('tnt') })

/** Changes are made by the tenant itself, or by an operator on its behalf. */
const change = {
  params: TenantParams,
  response: Tenant,
  tenantScoped: true,
  idempotent: true,
} as const

export const tenantContract = defineContract({
  upstream: 'tenant',
  basePath: '/api/v1',
  operations: {
    getTenant: {
      method: 'GET',
      path: '/tenants/:tenantId',
      summary: 'Get a tenant, whatever its status',
      params: TenantParams,
      response: Tenant,
      errorCodes: ['MELMASTOON.TENANT.NOT_FOUND'],
    },
    resolveSlug: {
      method: 'GET',
      path: '/tenants/by-slug/:slug',
      summary: 'Find the tenant of a booking site by its slug',
      params: Type.Object({ slug: text(63) }),
      response: Tenant,
      errorCodes: ['MELMASTOON.TENANT.NOT_FOUND'],
    },
    resolveDomain: {
      method: 'GET',
      path: '/tenants/by-domain/:domain',
      summary: 'Find the tenant of a booking site by its own domain, in any spelling',
      params: Type.Object({ domain: domain() }),
      response: Tenant,
      errorCodes: ['MELMASTOON.TENANT.NOT_FOUND'],
    },
    listTenants: {
      method: 'GET',
      path: '/tenants',
      summary: 'List tenants by slug',
      query: Type.Object({
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
        cursor: Type.Optional(text(200)),
        status: Type.Optional(Type.Enum([...TENANT_STATUSES])),
        /** Part of the slug or of a name. */
        q: Type.Optional(text(80)),
      }),
      response: Type.Object({
        tenants: Type.Array(TenantSummary, { maxItems: 200 }),
        nextCursor: Type.Optional(text(200)),
      }),
      errorCodes: [],
    },
    createTenant: {
      method: 'POST',
      path: '/tenants',
      summary: 'Create a tenant, active immediately',
      status: 201,
      body: Type.Object({
        slug: slug(),
        legalName: text(200),
        displayName: LocalizedString,
        country: country(),
        region: text(40),
        config: TenantSettings,
      }),
      response: Tenant,
      idempotent: true,
      errorCodes: ['MELMASTOON.TENANT.SLUG_TAKEN'],
    },
    updateConfig: {
      ...change,
      method: 'PATCH',
      path: '/tenants/:tenantId/config',
      summary: 'Change the given settings, unless they were changed concurrently',
      body: Type.Object({
        expectedVersion: configVersion(),
        changes: Type.Partial(TenantSettings, { minProperties: 1 }),
      }),
      errorCodes: [
        'MELMASTOON.TENANT.NOT_FOUND',
        'MELMASTOON.TENANT.ILLEGAL_TRANSITION',
        'MELMASTOON.GENERAL.CONFLICT',
      ],
    },
    addDomain: {
      ...change,
      method: 'POST',
      path: '/tenants/:tenantId/domains',
      summary: 'Add a domain to the booking site',
      status: 201,
      body: Type.Object({ domain: domain() }),
      errorCodes: [
        'MELMASTOON.TENANT.NOT_FOUND',
        'MELMASTOON.TENANT.ILLEGAL_TRANSITION',
        'MELMASTOON.TENANT.DOMAIN_TAKEN',
      ],
    },
    suspend: {
      ...change,
      method: 'POST',
      path: '/tenants/:tenantId/suspend',
      summary: 'Suspend a tenant: its hotels cannot be booked until it is reactivated',
      body: Type.Object({ reasonCode: Type.String({ pattern: '^[a-z0-9_.-]{1,64}$' }) }),
      errorCodes: ['MELMASTOON.TENANT.NOT_FOUND', 'MELMASTOON.TENANT.ILLEGAL_TRANSITION'],
    },
    reactivate: {
      ...change,
      method: 'POST',
      path: '/tenants/:tenantId/reactivate',
      summary: 'Reactivate a suspended tenant',
      body: Type.Object({}),
      errorCodes: ['MELMASTOON.TENANT.NOT_FOUND', 'MELMASTOON.TENANT.ILLEGAL_TRANSITION'],
    },
    ...operatorOperations,
  },
})
