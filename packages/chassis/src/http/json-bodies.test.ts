import { afterAll, expect, it } from 'vitest'
import { buildApp } from './build-app.ts'

const app = await buildApp({ service: 'bodies' })
afterAll(() => app.close())

const seen: unknown[] = []
const body = {
  type: 'object',
  required: ['nights'],
  properties: { nights: { type: 'integer' }, guests: { type: 'object', default: {} } },
}
for (const [url, cachesBodies] of [
  ['/cached', true],
  ['/other', false],
] as const) {
  app.post(url, { config: { cachesBodies }, schema: { body } }, (request, reply) => {
    seen.push(request.body)
    return reply.send('{}')
  })
}

async function send(url: string, payload: string) {
  const headers = { 'content-type': 'application/json' }
  const { statusCode } = await app.inject({ method: 'POST', url, headers, payload })
  return { statusCode, object: seen.pop() }
}

it('gives the same frozen object for the same text, with defaults filled in', async () => {
  const first = await send('/cached', '{"nights":2}')
  const again = await send('/cached', '{"nights":2}')
  expect(first.object).toEqual({ nights: 2, guests: {} })
  expect(again.object).toBe(first.object)
  expect(() => Object.assign(first.object as object, { nights: 3 })).toThrow(TypeError)
  const spaced = await send('/cached', '{ "nights":2}')
  expect(spaced.object).not.toBe(first.object)
})

it('rejects an invalid body every time, and caches nothing for other routes', async () => {
  for (const _attempt of [1, 2, 3]) {
    expect(await send('/cached', '{"nights":"two"}')).toEqual({ statusCode: 400 })
    expect(await send('/cached', '{"nights":')).toEqual({ statusCode: 400 })
    expect(await send('/cached', '{"__proto__":{"nights":2},"nights":2}')).toEqual({
      statusCode: 400,
    })
  }
  const first = await send('/other', '{"nights":2}')
  const again = await send('/other', '{"nights":2}')
  expect(again.object).toEqual(first.object)
  expect(again.object).not.toBe(first.object)
})

it('parses a long body each time', async () => {
  const long = `{"nights":2${' '.repeat(3_000)}}`
  const first = await send('/cached', long)
  const again = await send('/cached', long)
  expect(again.object).not.toBe(first.object)
})
