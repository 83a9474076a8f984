import {
  type ConfigOf,
  defineConfig,
  envChoice,
  envKeyRing,
  envList,
  envSecret,
  envString,
  envUrl,
} from '@melmastoon/chassis/config'

const settings = {
  tenantUrl: envUrl('UPSTREAM_TENANT_URL'),
  themeUrl: envUrl('UPSTREAM_THEME_URL'),
  propertyUrl: envUrl('UPSTREAM_PROPERTY_URL'),
  inventoryUrl: envUrl('UPSTREAM_INVENTORY_URL'),
  pricingUrl: envUrl('UPSTREAM_PRICING_URL'),
  reservationUrl: envUrl('UPSTREAM_RESERVATION_URL'),
  paymentUrl: envUrl('UPSTREAM_PAYMENT_URL'),
  /** The internal listener of the consumer service, which records consumed handoffs. */
  consumerUrl: envUrl('CONSUMER_INTERNAL_URL'),
  /** How calls to upstreams are authenticated: Google ID tokens, or on one machine a secret. */
  serviceAuth: envChoice('SERVICE_AUTH', ['shared-secret', 'google-id-token'], {
    default: 'shared-secret',
  }),
  /** Whether telemetry is enabled until a guest decides: opt-in where the law requires it (D34). */
  telemetryConsent: envChoice('TELEMETRY_CONSENT', ['opt-out', 'opt-in'], { default: 'opt-out' }),
  /** Domains whose subdomains are the slugs of tenants; any other host is a tenant's own domain. */
  siteHostSuffixes: envList('SITE_HOST_SUFFIXES', { default: ['melmastoon.ghasi.io'] }),
  /** The origin of a tenant's pages, for links and return addresses. */
  siteUrl: envString('SITE_URL', {
    default: 'https://{slug}.melmastoon.ghasi.io',
    pattern: /^https?:\/\/[^/?#]*\{slug\}[^/?#]*$/,
  }),
  /** The same for guests who use the shared host, where the path names the tenant. */
  sharedSiteUrl: envString('SHARED_SITE_URL', {
    default: 'https://book.melmastoon.ghasi.io/{slug}',
    pattern: /^https?:\/\/[^?#]*\{slug\}[^?#]*$/,
  }),
  secrets: {
    service: envSecret('SERVICE_SECRET', { minLength: 32, optional: true }),
    peppers: envKeyRing('HASH_PEPPERS'),
    handoffKeys: envKeyRing('HANDOFF_KEYS'),
    sessionKeys: envKeyRing('SESSION_KEYS'),
    /** Encrypt guest details at rest. */
    guestDataKeys: envKeyRing('GUEST_DATA_KEYS'),
    /** Derive the idempotency keys of a fulfilment's upstream calls. */
    fulfilmentKeys: envKeyRing('FULFILMENT_KEYS'),
    /** Sign links to confirmations. */
    confirmationKeys: envKeyRing('CONFIRMATION_KEYS'),
    /** Verifies the webhooks of the payment service. */
    paymentWebhook: envSecret('PAYMENT_WEBHOOK_SECRET', { minLength: 32 }),
  },
}

export const bookingConfig = defineConfig({
  service: 'bff-tenant-booking-service',
  schema: 'bff_tenant_booking',
  defaultPort: 8082,
  settings,
  check({ serviceAuth, secrets }, problem) {
    if (serviceAuth !== 'shared-secret' || secrets.service !== undefined) return
    problem('SERVICE_SECRET', `is required where SERVICE_AUTH is ${serviceAuth}`)
  },
})

export type BookingConfig = ConfigOf<typeof bookingConfig>
