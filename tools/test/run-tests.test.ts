import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runTests } from './run-tests.ts'

async function runNowhere(testsOnly: boolean) {
  const root = mkdtempSync(join(tmpdir(), 'mel-tests-'))
  let shown = ''
  const passed = await runTests({
    root,
    options: { testsOnly, vitestArguments: [] },
    env: {},
    signal: new AbortController().signal,
    show: (text) => {
      shown += text
    },
    colours: false,
  })
  rmSync(root, { recursive: true })
  return { passed, shown }
}

it('counts missing checks and tests as failures', async () => {
  const { passed, shown } = await runNowhere(false)
  expect(passed).toBe(false)
  expect(shown).toMatch(/✗ checks .*\n✗ tests .*\n0 passed, 2 failed\n$/s)
})

it('runs no checks when tests are selected', async () => {
  const { shown } = await runNowhere(true)
  expect(shown).not.toContain('checks')
  expect(shown).toMatch(/0 passed, 1 failed\n$/)
})
