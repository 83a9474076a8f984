import { type ConfigOf, defineConfig, envKeyRing, envUrl } from '@melmastoon/chassis/config'

export const exampleConfig = defineConfig({
  service: 'example-service',
  schema: 'example',
  defaultPort: 8080,
  settings: {
    upstreamUrl: envUrl('EXAMPLE_UPSTREAM_URL'),
    secrets: { sessionKeys: envKeyRing('SESSION_KEYS') },
  },
})

export type ExampleConfig = ConfigOf<typeof exampleConfig>
