import { buildApp } from '@melmastoon/chassis/http'
import { problem } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { watchProblems } from '../src/openapi/watch-problems.ts'

it('a code that the document does not list for the operation is reported once', async () => {
  const openapi = { title: 'Problems', version: '1.0.0' }
  await using app = await buildApp({ service: 'problems', openapi })
  const watch = watchProblems(app)
  const problems = ['MELMASTOON.THEME.NOT_FOUND'] as const
  app.get('/theme', { config: { operation: 'theme.get', problems } }, () => {
    throw problem('MELMASTOON.THEME.NOT_FOUND')
  })
  app.get('/price', { config: { operation: 'price.get', problems } }, () => {
    throw problem('MELMASTOON.PRICING.NO_RATE')
  })
  app.get('/bug', { config: { operation: 'bug.get', problems } }, () => {
    throw new TypeError('a defect')
  })
  await app.inject('/theme')
  await app.inject('/bug')
  expect(watch.undocumented()).toEqual([])
  await app.inject('/price')
  await app.inject('/price')
  expect(watch.undocumented()).toEqual(['price.get rejects with 409 MELMASTOON.PRICING.NO_RATE'])
})
