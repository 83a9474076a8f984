import { describe, expect, it } from 'vitest'
import { createHostReader, parseHost } from './request-host.ts'

const request = (...rawHeaders: string[]) => ({ rawHeaders, url: '/api/bootstrap' })
const direct = createHostReader({ trustProxyHops: 0 })
const proxied = createHostReader({ trustProxyHops: 1, trustedHostHeader: 'X-Original-Host' })

describe('the host of a request', () => {
  it.each([
    ['serena.example', 'serena.example'],
    ['Serena.Example:8443', 'serena.example'],
    ['serena.example.', 'serena.example'],
    ['serena.example.:443', 'serena.example'],
    ['serena.localhost:8080', 'serena.localhost'],
    ['XN--HTEL-VQA.example', 'xn--htel-vqa.example'],
    ['127.0.0.1:8080', '127.0.0.1'],
  ])('is read from %s', (value, host) => {
    expect(direct(request('Accept', '*/*', 'Host', value))).toBe(host)
  })

  it.each([
    '',
    '.',
    'serena.example..',
    'a..b',
    'serena.example:',
    'serena.example:http',
    'serena.example:123456',
    'serena.example,other.example',
    'serena.example other.example',
    'guest@serena.example',
    'serena.example/path',
    'h\u00f4tel.example',
    'h%C3%B4tel.example',
    'xn--\u00f4',
    '0x7f.1',
    '[::1]:8080',
    '-serena.example',
    'serena-.example',
    'sere_na.example',
    'serena.example\u0000',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
  ])('RLS-16 is rejected if it is %j', (value) => {
    expect(direct(request('Host', value))).toBeUndefined()
  })

  it('RLS-16 is rejected when it is missing, repeated or part of the target', () => {
    expect(direct(request('Accept', '*/*'))).toBeUndefined()
    const repeated = ['Host', 'serena.example', 'host', 'serena.example']
    expect(direct(request(...repeated))).toBeUndefined()
    const rawHeaders = ['Host', 'serena.example']
    expect(direct({ rawHeaders, url: 'http://other.example/api' })).toBeUndefined()
  })

  it('RLS-16 never comes from a header that a client can add', () => {
    const forged = ['X-Forwarded-Host', 'other.example', 'Forwarded', 'host=other.example']
    const headers = ['Host', 'serena.example', ...forged, 'X-Original-Host', 'other.example']
    expect(direct(request(...headers))).toBe('serena.example')
    expect(createHostReader({ trustProxyHops: 1 })(request(...headers))).toBe('serena.example')
  })

  it('comes from the configured header only, if there is one', () => {
    const headers = ['Host', 'internal', 'X-Forwarded-Host', 'other.example']
    expect(proxied(request(...headers, 'x-original-host', 'serena.example'))).toBe('serena.example')
    expect(proxied(request(...headers))).toBeUndefined()
    const twice = ['X-Original-Host', 'serena.example', 'X-Original-Host', 'other.example']
    expect(proxied(request(...headers, ...twice))).toBeUndefined()
  })

  it('cannot be configured to come from such a header without a proxy', () => {
    const options = { trustProxyHops: 0, trustedHostHeader: 'x-original-host' }
    expect(() => createHostReader(options)).toThrow(TypeError)
  })
})

it('parses the host of a configured domain in the same way', () => {
  expect(parseHost('Book.Serena.Example.')).toBe('book.serena.example')
})
