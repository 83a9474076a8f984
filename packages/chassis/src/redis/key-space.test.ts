import { expect, it } from 'vitest'
import { createKeySpace, hashedPart } from './key-space.ts'

it('D27 a key starts with the service, the version and the feature', () => {
  const keys = createKeySpace('bff-consumer-service')
  expect(keys.prefix('session')).toBe('bff-consumer-service:v1:session:')
  expect(keys.prefix('session', 2)).toBe('bff-consumer-service:v2:session:')
})

it.each(['', 'a:b', '{a}', 'A', 'x'.repeat(41)])(
  '%j is no valid name of a service or feature',
  (name) => {
    expect(() => createKeySpace(name)).toThrow(TypeError)
    expect(() => createKeySpace('service').prefix(name)).toThrow(TypeError)
  },
)

it('hashes to a fixed length that contains nothing of the text', () => {
  expect(hashedPart('192.0.2.7')).toMatch(/^[\w-]{22}$/)
  expect(hashedPart('192.0.2.7')).not.toBe(hashedPart('192.0.2.8'))
})
