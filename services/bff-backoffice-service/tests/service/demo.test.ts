import { spawnProcess } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PUBLIC_URL } from '../harness/backoffice-environment.ts'
import { type Backoffice, startWithSandbox } from '../harness/start-backoffice.ts'

const DEMO = new URL('../../../../tools/demo/staff.ts', import.meta.url)
const TIMEOUT_MS = 60_000

let office: Backoffice
beforeAll(async () => {
  office = await startWithSandbox()
}, TIMEOUT_MS)
afterAll(() => office[Symbol.asyncDispose]())

const run = (env: Readonly<Record<string, string>>) => spawnProcess(DEMO, { env })

const addresses = () => ({
  BACKOFFICE_URL: office.service.url,
  BACKOFFICE_PUBLIC_URL: new URL(PUBLIC_URL).origin,
  SANDBOX_URL: office.sandbox.url,
})

it('the scripted day at the desk succeeds', { timeout: TIMEOUT_MS }, async () => {
  await using staff = run(addresses())
  const { code } = await staff.exited
  const seen = staff.lines.join('\n')
  expect(code, seen).toBe(0)
  expect(seen).toMatch(/Check .+ in \(\d+ ms\)\n +checked_in, room \d+, version 1 → 2/)
  expect(seen).toMatch(/(arrivals|in_house): \{"type":"reservation\.checked_in"/)
  expect(seen).toMatch(/Issue a key for the room: succeeded/)
  expect(seen).toMatch(/chg_\w+: balance/)
  expect(seen).toMatch(/Acknowledge one of \d+ alerts.*\n.*: acknowledged/)
  expect(seen).toMatch(/modified: \{.+\}\n +another decision about it: .*SUGGESTION_DECIDED/)
  expect(seen).toContain('rejected: MELMASTOON.SECURITY.STEP_UP_REQUIRED')
  expect(seen).toMatch(/Revoke the key: succeeded/)
  expect(seen).toContain('applied, applied')
  expect(seen).toContain('applied (replayed), applied (replayed)')
  expect(seen).toMatch(/room \d+ has not changed: version \d+/)
  expect(seen).toContain('rejected: MELMASTOON.SESSION.REVOKED; the stream ends: session_ended')
})

it('says that nothing is running', async () => {
  const nobody = 'http://127.0.0.1:1'
  await using staff = run({ BACKOFFICE_URL: nobody, SANDBOX_URL: nobody })
  expect(await staff.exited).toMatchObject({ code: 1 })
  expect(staff.lines.join('\n')).toContain('run npm start first')
})

it('exits with an error when a step fails', { timeout: TIMEOUT_MS }, async () => {
  await office.sandbox.post('/admin/api/upstreams/reservation/break', { json: { kind: 'down' } })
  await using staff = run(addresses())
  expect(await staff.exited).toMatchObject({ code: 1 })
  expect(staff.lines.join('\n')).toContain('✗ ')
})
