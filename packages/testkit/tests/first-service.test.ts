import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { newId } from '@melmastoon/domain'
import { dataRoot } from '@melmastoon/one-machine'
import { testService } from '@melmastoon/testkit'
import { afterAll, expect, it } from 'vitest'
import type { service as exampleService } from '../src/example-service/service.ts'

const PAGE = new URL('../../../docs/first-service.md', import.meta.url)
/** A path in backquotes that starts a paragraph, and the code block after the paragraph. */
const FILE = /^`(src\/[^`]+)`[^\n]*\n(?:(?!```)[^\n]*\n)*?```\w+\n(.*?)^```/gms

mkdirSync(dataRoot(), { recursive: true })
/** Inside the repository, so that imports of its packages are resolved. */
const folder = mkdtempSync(join(dataRoot(), 'first-service-'))
afterAll(() => rmSync(folder, { recursive: true }))

function writeSources(): void {
  for (const [, path = '', text = ''] of readFileSync(PAGE, 'utf8').matchAll(FILE)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

it('the service of docs/first-service.md runs as documented', async () => {
  writeSources()
  const url = pathToFileURL(join(folder, 'src/service.ts')).href
  const { service } = (await import(url)) as { service: typeof exampleService }
  await using feedback = await testService(service)
  const path = `/feedback/v1/${newId('tnt')}/ratings`
  const request = { key: 'the-key-of-this-test', json: { rating: 4 } }
  const first = await feedback.post(path, request)
  const second = await feedback.post(path, request)
  expect([first.status, second.text]).toEqual([201, first.text])
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect((await feedback.get(path)).body['ratings']).toHaveLength(1)
  const published = () => feedback.environment.countRows('outbox_published')
  await expect.poll(published).toBe(1)
})
