import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { discoverServices } from './discover-services.ts'
import { helpText } from './help-text.ts'

it('lists every port and its variable', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const services = discoverServices(root)
  const help = helpText(services)
  expect(help).toMatch(/^ {2}54320 +MELMASTOON_POSTGRES_PORT$/m)
  expect(help).toMatch(/^ {2}63791 +MELMASTOON_REDIS_CACHE_PORT$/m)
  expect(help.match(/_INTERNAL_PORT/g)).toHaveLength(services.length)
})
