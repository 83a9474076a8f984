import { describe, expect, it } from 'vitest'
import { StartError } from './messages.ts'
import { parseStartOptions } from './start-options.ts'

describe('parseStartOptions', () => {
  it('has default ports', () => {
    expect(parseStartOptions([], {})).toEqual({
      fresh: false,
      verbose: false,
      help: false,
      eventTransport: 'redis-streams',
      postgresPort: 54_320,
      redisSessionPort: 63_790,
      redisCachePort: 63_791,
    })
  })

  it('reads servers, ports and the transport from variables and ignores blank ones', () => {
    const env = {
      DATABASE_URL: 'postgres://db/x',
      REDIS_SESSION_URL: ' ',
      MELMASTOON_POSTGRES_PORT: '5000',
      EVENT_TRANSPORT: 'pubsub',
    }
    const options = parseStartOptions(['--verbose'], env)
    expect(options).toMatchObject({ databaseUrl: 'postgres://db/x', postgresPort: 5000 })
    expect(options).toMatchObject({ eventTransport: 'pubsub', verbose: true })
    expect(options).not.toHaveProperty('redisSessionUrl')
  })

  it('accepts --fresh with and without the two dashes before it', () => {
    expect(parseStartOptions(['--fresh'], {}).fresh).toBe(true)
    expect(parseStartOptions([], { npm_config_fresh: 'true' }).fresh).toBe(true)
  })

  it.each([
    [['--frish'], {}, '--frish'],
    [[], { MELMASTOON_POSTGRES_PORT: '70000' }, 'MELMASTOON_POSTGRES_PORT is "70000"'],
    [[], { MELMASTOON_REDIS_CACHE_PORT: '6e3' }, 'MELMASTOON_REDIS_CACHE_PORT is "6e3"'],
    [[], { EVENT_TRANSPORT: 'kafka' }, 'EVENT_TRANSPORT is "kafka"'],
    [['--fresh'], { DATABASE_URL: 'postgres://db/x' }, 'DATABASE_URL selects another server'],
  ])('rejects %j with %j in one message', (argv, env, message) => {
    const parse = () => parseStartOptions(argv, env)
    expect(parse).toThrow(StartError)
    expect(parse).toThrow(message)
  })
})
