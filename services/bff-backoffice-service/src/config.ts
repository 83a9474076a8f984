import {
  type ConfigOf,
  defineConfig,
  envChoice,
  envKeyRing,
  envList,
  envRoleUrl,
  envSecret,
  envString,
  envUrl,
} from '@melmastoon/chassis/config'
import { envSigningKey } from './sync/signing-key.ts'

const SCHEMA = 'bff_backoffice'

/** Of the files; with BigQuery, of files that are not loaded yet. */
export const lakeFolder = envString('LAKE_DIR', { default: '.melmastoon/lake' })

const settings = {
  /** Where regulated rows are kept for seven years. */
  lake: {
    kind: envChoice('LAKE', ['parquet', 'bigquery'], { default: 'parquet' }),
    folder: lakeFolder,
    project: envString('BIGQUERY_PROJECT', { default: '' }),
    dataset: envString('BIGQUERY_DATASET', { default: 'bff_backoffice_lake' }),
  },
  /** The role that only appends to the ledger of activities. */
  ledgerUrl: envRoleUrl('DATABASE_LEDGER_URL', `${SCHEMA}_ledger`),
  iamUrl: envUrl('UPSTREAM_IAM_URL'),
  tenantUrl: envUrl('UPSTREAM_TENANT_URL'),
  propertyUrl: envUrl('UPSTREAM_PROPERTY_URL'),
  inventoryUrl: envUrl('UPSTREAM_INVENTORY_URL'),
  pricingUrl: envUrl('UPSTREAM_PRICING_URL'),
  reservationUrl: envUrl('UPSTREAM_RESERVATION_URL'),
  housekeepingUrl: envUrl('UPSTREAM_HOUSEKEEPING_URL'),
  maintenanceUrl: envUrl('UPSTREAM_MAINTENANCE_URL'),
  billingUrl: envUrl('UPSTREAM_BILLING_URL'),
  lockUrl: envUrl('UPSTREAM_LOCK_URL'),
  notificationUrl: envUrl('UPSTREAM_NOTIFICATION_URL'),
  aiUrl: envUrl('UPSTREAM_AI_URL'),
  syncUrl: envUrl('UPSTREAM_SYNC_URL'),
  /** How calls to upstreams are authenticated: Google ID tokens, or on one machine a secret. */
  serviceAuth: envChoice('SERVICE_AUTH', ['shared-secret', 'google-id-token'], {
    default: 'shared-secret',
  }),
  /** Who signs the access tokens of staff (`iss`). */
  iamIssuer: envUrl('IAM_ISSUER', { default: 'https://iam.melmastoon.ghasi.io' }),
  /**
   * The addresses of this API as devices know them, each with origin and path. Proofs name one of
   * them; the `Host` header is never used.
   */
  publicUrls: envList('PUBLIC_URLS', {
    default: [
      'https://backoffice.melmastoon.ghasi.io/api/bff/backoffice/v1',
      'https://api.melmastoon.ghasi.io/bff/backoffice/v1',
    ],
  }),
  secrets: {
    service: envSecret('SERVICE_SECRET', { minLength: 32, optional: true }),
    peppers: envKeyRing('HASH_PEPPERS'),
    /** Derive the nonces of proofs. */
    nonceKeys: envKeyRing('PROOF_NONCE_KEYS'),
    /** Sign cursors of boards and streams. */
    cursorKeys: envKeyRing('CURSOR_KEYS'),
    /** Signs the tokens with which devices use the sync service. */
    syncToken: envSigningKey('SYNC_TOKEN_SIGNING_KEY'),
  },
}

export const backofficeConfig = defineConfig({
  service: 'bff-backoffice-service',
  schema: SCHEMA,
  defaultPort: 8083,
  settings,
  check({ serviceAuth, secrets, lake, publicUrls }, problem) {
    if (!publicUrls.every((url) => /^https?:\/\/[^?#]+$/.test(url) && URL.canParse(url))) {
      problem('PUBLIC_URLS', 'must be URLs with http or https, without a query')
    }
    if (serviceAuth === 'shared-secret' && secrets.service === undefined) {
      problem('SERVICE_SECRET', `is required where SERVICE_AUTH is ${serviceAuth}`)
    }
    if (lake.kind === 'bigquery' && lake.project === '') {
      problem('BIGQUERY_PROJECT', 'is required where LAKE is bigquery')
    }
  },
})

export type BackofficeConfig = ConfigOf<typeof backofficeConfig>
