import { ConfigError } from '@melmastoon/chassis/config'
import { describe, expect, it } from 'vitest'
import { sandboxConfig } from './config.ts'

const env = {
  IDEMPOTENCY_SECRET: 'a secret for tests, long enough to be one',
  SERVICE_SECRET: 'another secret for tests, long enough too',
  WEBHOOK_SECRET: 'a third secret for tests, also long enough',
}

describe('sandboxConfig', () => {
  it('listens on the loopback address by default', () => {
    expect(sandboxConfig.read(env).host).toBe('127.0.0.1')
    expect(sandboxConfig.read({ ...env, HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
  })

  it('does not start in production', () => {
    expect(() => sandboxConfig.read({ ...env, NODE_ENV: 'production' })).toThrow(ConfigError)
    expect(() => sandboxConfig.read({ ...env, NODE_ENV: 'development' })).not.toThrow()
  })
})
