import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayFromNow, type Fixture, get, startFixture } from '../harness/start-consumer.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
  fixture.upstreams.behaviour.search.mode = 'rejecting'
})
afterAll(() => fixture[Symbol.asyncDispose]())

it.each([
  '/facets',
  '/suggest?q=kab',
  `/compare?ids=${newId('ppt')}`,
  `/hotels/${newId('ppt')}/availability?from=${dayFromNow(3)}&to=${dayFromNow(4)}`,
])('P9 an error response that no contract declares has its own code: %s', async (path) => {
  const { status, body } = await get(fixture.service.url, path)
  expect([status, body['code']]).toEqual([502, 'MELMASTOON.BFF.UPSTREAM_REQUEST_REJECTED'])
})
