import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadContracts } from './load-contracts.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mel-contracts-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function moduleOf(name: string, text: string): string {
  const path = join(folder, `${name}.mjs`)
  writeFileSync(path, text)
  return path
}

describe('loadContracts', () => {
  it('takes what the module exports as contracts', async () => {
    const whole = '{ schema: "guest", migrations() {}, registry: {}, openApi() {} }'
    const path = moduleOf('whole', `export const contracts = ${whole}`)
    expect((await loadContracts(path)).schema).toBe('guest')
  })

  it.each([
    ['nothing', 'export const other = 1', 'does not export contracts'],
    [
      'partial',
      'export const contracts = { schema: "guest" }',
      'lack migrations, registry, openApi',
    ],
  ])('refuses %s', async (name, text, message) => {
    await expect(loadContracts(moduleOf(name, text))).rejects.toThrow(message)
  })
})
