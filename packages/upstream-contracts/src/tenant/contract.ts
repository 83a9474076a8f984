import { type Static, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { currency, id, instant, LocalizedString, locale, text } from '../schemas.ts'

export const TENANT_STATUSES = ['active', 'suspended', 'closed'] as const
export const PAYMENT_METHODS = ['cash_on_arrival', 'card', 'mobile_money'] as const

/** What a booking site of the hotel is composed from, beside its theme. */
const settings = {
  timeZone: text(64),
  locales: Type.Array(locale(), { minItems: 1, maxItems: 3, uniqueItems: true }),
  defaultLocale: locale(),
  currencies: Type.Array(currency(), { minItems: 1, maxItems: 7, uniqueItems: true }),
  primaryCurrency: currency(),
  /** In the order they are offered. */
  paymentMethods: Type.Array(Type.Enum([...PAYMENT_METHODS]), { maxItems: 3, uniqueItems: true }),
  /** Without it nothing can be booked. */
  paymentEnabled: Type.Boolean(),
  checkInTime: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
  checkOutTime: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
  policies: Type.Object({
    privacy: LocalizedString,
    terms: LocalizedString,
    accessibility: LocalizedString,
  }),
}

export const TenantSettings = Type.Object(settings)
export type TenantSettings = Static<typeof TenantSettings>

/** Grows by one with every change, also of the domains. */
const configVersion = () => Type.Integer({ minimum: 1 })

export const TenantConfig = Type.Object({ version: configVersion(), ...settings })
export type TenantConfig = Static<typeof TenantConfig>

const country = () => Type.String({ pattern: '^[A-Z]{2}$' })

/** A DNS label without the third and fourth dash of an encoded one (RFC 5891 §4.2.3.1). */
const slug = () => Type.String({ pattern: '^(?!..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$' })

/** Longer ones exist (RFC 1035 §2.3.4), but no hotel has to type them. */
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
  /** The cloud region that serves it, `asia-south1`. */
  region: text(40),
  customDomains: Type.Array(domain(), { maxItems: 20 }),
  config: TenantConfig,
  createdAt: instant(),
  updatedAt: instant(),
})
export type Tenant = Static<typeof Tenant>

const TenantParams = Type.Object({ tenantId: id('tnt') })

/** Changes are made by the tenant itself, or by an operator in its name. */
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
      summary: 'A hotel group, whatever its status',
      params: TenantParams,
      response: Tenant,
      refusals: ['MELMASTOON.TENANT.NOT_FOUND'],
    },
    resolveSlug: {
      method: 'GET',
      path: '/tenants/by-slug/:slug',
      summary: 'Whose booking site is this? By the name within the platform',
      params: Type.Object({ slug: text(63) }),
      response: Tenant,
      refusals: ['MELMASTOON.TENANT.NOT_FOUND'],
    },
    resolveDomain: {
      method: 'GET',
      path: '/tenants/by-domain/:domain',
      summary: 'Whose booking site is this? By a domain of its own, in any spelling',
      params: Type.Object({ domain: domain() }),
      response: Tenant,
      refusals: ['MELMASTOON.TENANT.NOT_FOUND'],
    },
    listTenants: {
      method: 'GET',
      path: '/tenants',
      summary: 'All tenants in the order of their slugs',
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
      refusals: [],
    },
    createTenant: {
      method: 'POST',
      path: '/tenants',
      summary: 'A new tenant, active at once',
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
      refusals: ['MELMASTOON.TENANT.SLUG_TAKEN'],
    },
    updateConfig: {
      ...change,
      method: 'PATCH',
      path: '/tenants/:tenantId/config',
      summary: 'Changes the settings that are named, if nobody else changed any meanwhile',
      body: Type.Object({
        expectedVersion: configVersion(),
        changes: Type.Partial(TenantSettings, { minProperties: 1 }),
      }),
      refusals: [
        'MELMASTOON.TENANT.NOT_FOUND',
        'MELMASTOON.TENANT.ILLEGAL_TRANSITION',
        'MELMASTOON.GENERAL.CONFLICT',
      ],
    },
    addDomain: {
      ...change,
      method: 'POST',
      path: '/tenants/:tenantId/domains',
      summary: 'Serves the booking site under one more domain',
      status: 201,
      body: Type.Object({ domain: domain() }),
      refusals: [
        'MELMASTOON.TENANT.NOT_FOUND',
        'MELMASTOON.TENANT.ILLEGAL_TRANSITION',
        'MELMASTOON.TENANT.DOMAIN_TAKEN',
      ],
    },
    suspend: {
      ...change,
      method: 'POST',
      path: '/tenants/:tenantId/suspend',
      summary: 'Takes the hotel off sale until it is reactivated',
      body: Type.Object({ reasonCode: Type.String({ pattern: '^[a-z0-9_.-]{1,64}$' }) }),
      refusals: ['MELMASTOON.TENANT.NOT_FOUND', 'MELMASTOON.TENANT.ILLEGAL_TRANSITION'],
    },
    reactivate: {
      ...change,
      method: 'POST',
      path: '/tenants/:tenantId/reactivate',
      summary: 'Ends a suspension',
      body: Type.Object({}),
      refusals: ['MELMASTOON.TENANT.NOT_FOUND', 'MELMASTOON.TENANT.ILLEGAL_TRANSITION'],
    },
  },
})
