import { testRedis } from '@melmastoon/testkit'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { runFlagsCommand } from '../../src/flags/index.ts'
import { createRedis, type Redis } from '../../src/redis/index.ts'

const SALE = {
  key: 'bff-flags',
  schema: Type.Object({
    sale: Type.Boolean(),
    rates: Type.Record(Type.String(), Type.Number({ maximum: 1 })),
  }),
  defaults: { sale: false, rates: {} },
}
const MODE = { key: 'mode', schema: Type.Object({ mode: Type.String() }), defaults: { mode: 'a' } }

let redis: Redis

beforeAll(async () => {
  const { cacheUrl } = await testRedis()
  redis = createRedis(cacheUrl, { name: 'flags-test', onError: () => undefined })
})
afterAll(() => redis.disconnect())
beforeEach(async () => {
  await redis.del(SALE.key, MODE.key)
})

async function run(...words: string[]) {
  const lines: string[] = []
  const print = (line: string) => lines.push(line)
  const code = await runFlagsCommand(words, { documents: [SALE, MODE], redis, print })
  return { code, text: lines.join('\n') }
}
const stored = async (key = SALE.key) => JSON.parse((await redis.get(key)) ?? 'null') as unknown

it('prints every document with its defaults', async () => {
  await redis.set(SALE.key, '{"sale":true}')
  const { code, text } = await run('get')
  expect(code).toBe(0)
  expect(text).toBe('bff-flags {"sale":true,"rates":{}}\nmode {"mode":"a"}')
})

it('changes one flag and keeps the others, also members of an object', async () => {
  await run('set', 'rates', '{"a":0.5}')
  await run('set', 'sale', 'true')
  await run('set', 'rates', '{"b":1}')
  await run('set', 'mode', '"b"')
  expect(await stored()).toEqual({ sale: true, rates: { a: 0.5, b: 1 } })
  expect(await stored(MODE.key)).toEqual({ mode: 'b' })
  await run('set', 'rates', '{"a":null}')
  const { text } = await run('unset', 'sale')
  expect(await stored()).toEqual({ rates: { b: 1 } })
  expect(text).toContain('bff-flags {"sale":false,"rates":{"b":1}}')
})

it.each([
  ['a value that the service would reject', ['set', 'rates', '{"a":7}'], 1, '/rates/a'],
  ['a value of another type', ['set', 'sale', '"yes"'], 1, '/sale'],
  ['text that is not JSON', ['set', 'sale', 'yes'], 2, 'set <name> <json>'],
  ['an unknown flag', ['set', 'sales', 'true'], 2, 'There is no flag sales. Flags: sale, rates'],
  ['no command', [], 2, 'get | set'],
])('changes nothing for %s', async (_name, words, exitCode, message) => {
  const { code, text } = await run(...words)
  expect(code).toBe(exitCode)
  expect(text).toContain(message)
  expect(await stored()).toBeNull()
})
