import { describe, expect, it } from 'vitest'
import { databaseEndpoint } from './database-tls.ts'

const CHAIN_ONLY = { rejectUnauthorized: true, checkServerIdentity: expect.any(Function) }

describe('databaseEndpoint', () => {
  it.each([
    'postgres://app@127.0.0.1:5432/main',
    'postgres://app@localhost/main',
    'postgres://app@[::1]/main',
    'postgres:///main?host=/run/postgresql',
  ])('needs no TLS on this machine: %s', (url) => {
    expect(databaseEndpoint(url).ssl).toBe(false)
    expect(databaseEndpoint(url, { tls: 'verify-ca' }).ssl).toEqual(CHAIN_ONLY)
  })

  it.each([
    'postgres://app@10.0.0.7/main',
    'postgres://app@database.test/main',
    'postgres://app@127.0.0.1.database.test/main',
    'postgres://app@localhost.database.test/main',
  ])('verifies the chain elsewhere: %s', (url) => {
    expect(databaseEndpoint(url).ssl).toEqual(CHAIN_ONLY)
    expect(databaseEndpoint(url, { tls: 'auto', ca: 'PEM' }).ssl).toEqual({
      ...CHAIN_ONLY,
      ca: 'PEM',
    })
    expect(databaseEndpoint(url, { tls: 'off' }).ssl).toBe(false)
  })

  it('checks the name as well with verify-full', () => {
    const { ssl } = databaseEndpoint('postgres://app@database.test/main', { tls: 'verify-full' })
    expect(ssl).toEqual({ rejectUnauthorized: true })
  })

  it('cannot be switched off by the URL', () => {
    const url = 'postgres://app@database.test/main?sslmode=disable&ssl=false&connect_timeout=3'
    const { connectionString, ssl } = databaseEndpoint(url)
    expect(connectionString).toBe('postgres://app@database.test/main?connect_timeout=3')
    expect(ssl).toEqual(CHAIN_ONLY)
  })
})
