import {
  baseSettings,
  type ConfigOf,
  defineConfig,
  type Env,
  envInt,
  envSecret,
  envString,
  envUrl,
  loadConfig,
  type Setting,
  type Settings,
} from '@melmastoon/chassis/config'

import { envPublicKeys } from './public-keys.ts'

const IDENTITY = { service: 'platform-sandbox', schema: 'sandbox', defaultPort: 8090 }

/** The seed and the size of the demo world. */
const worldSettings = {
  worldSeed: envString('WORLD_SEED', { default: 'melmastoon' }),
  worldProperties: envInt('WORLD_PROPERTIES', { default: 3_600, min: 0, max: 100_000 }),
  /** As many of the generated hotels have staff and guests, like the detailed ones. */
  worldStaffedHotels: envInt('WORLD_STAFFED_HOTELS', { default: 0, min: 0, max: 1_000 }),
  /** The history and the future of the detailed hotels: two years by default. */
  worldStayDays: envInt('WORLD_STAY_DAYS', { default: 365, min: 30, max: 730 }),
}

/** The sandbox exists to fail on demand, and its page needs no login. */
const outsideProduction: Setting<true> = {
  read(env) {
    if (env.get('NODE_ENV') === 'production') env.problem('NODE_ENV', 'forbids the sandbox')
    return true
  },
}

export const sandboxConfig = defineConfig({
  ...IDENTITY,
  settings: {
    ...worldSettings,
    outsideProduction,
    host: envString('HOST', { default: '127.0.0.1' }),
    /** Where browsers reach this process: photos, logos and the payment page are links to it. */
    publicUrl: envUrl('PUBLIC_URL', { default: 'http://127.0.0.1:8090' }),
    /** Where payment webhooks are sent; without it none are. */
    webhookUrl: envUrl('PAYMENT_WEBHOOK_URL', { optional: true }),
    /** The delay of a webhook that is set to arrive late. */
    webhookLateSeconds: envInt('PAYMENT_WEBHOOK_LATE_SECONDS', {
      default: 20,
      min: 1,
      max: 3_600,
    }),
    /** The delay of a lock vendor's response that is set to arrive late. */
    lockLateMs: envInt('LOCK_LATE_MS', { default: 20_000, min: 10, max: 3_600_000 }),
    /** How often suggestions for the demo hotels are generated; 0: never. */
    suggestionSeconds: envInt('SUGGESTION_SECONDS', { default: 300, min: 0, max: 86_400 }),
    /** What verifies the tokens of devices that pull changes; without it none can. */
    syncTokenKeys: envPublicKeys('SYNC_TOKEN_PUBLIC_KEYS'),
    holdSeconds: envInt('HOLD_SECONDS', { default: 600, min: 1, max: 3_600 }),
    /** Who signs the access tokens of staff (`iss`). */
    iamIssuer: envUrl('IAM_ISSUER', { default: 'https://iam.melmastoon.ghasi.io' }),
    accessTokenSeconds: envInt('ACCESS_TOKEN_SECONDS', { default: 900, min: 1, max: 3_600 }),
    /** How long a member of staff stays signed in without a password. */
    refreshFamilySeconds: envInt('REFRESH_FAMILY_SECONDS', {
      default: 30 * 86_400,
      min: 1,
      max: 90 * 86_400,
    }),
    secrets: {
      service: envSecret('SERVICE_SECRET', { minLength: 32 }),
      webhook: envSecret('WEBHOOK_SECRET', { minLength: 32 }),
    },
  },
})

export type SandboxConfig = ConfigOf<typeof sandboxConfig>

const seedSettings = { ...baseSettings(IDENTITY), ...worldSettings }

/** For the program that creates the demo world. */
export function readWorldConfig(env: Env): Settings<typeof seedSettings> {
  return loadConfig(env, seedSettings)
}
