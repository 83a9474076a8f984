import { type ConfigOf, defineConfig, envSecret, envUrl } from '@melmastoon/chassis/config'

/** A ring of keys that is used while the contracts are rendered. */
const PLACEHOLDER = `placeholder:active:${Buffer.alloc(32, 'x').toString('base64url')}`

export const exampleConfig = defineConfig({
  service: 'example-service',
  schema: 'example',
  defaultPort: 8080,
  settings: {
    upstreamUrl: envUrl('EXAMPLE_UPSTREAM_URL'),
    secrets: {
      sessionKeys: envSecret('SESSION_KEYS', { minLength: 32, placeholder: PLACEHOLDER }),
    },
  },
})

export type ExampleConfig = ConfigOf<typeof exampleConfig>
