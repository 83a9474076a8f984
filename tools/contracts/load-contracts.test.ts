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
  it('uses the service that the module exports', async () => {
    const whole =
      '{ config: { schema: "guest" }, migrations: 1, registry: {}, createContext() {}, routes() {} }'
    const path = moduleOf('whole', `export const service = ${whole}`)
    expect((await loadContracts(path)).schema).toBe('guest')
  })

  it.each([
    ['nothing', 'export const other = 1', 'does not export service'],
    [
      'partial',
      'export const service = { config: {} }',
      'lacks migrations, registry, createContext, routes',
    ],
  ])('rejects %s', async (name, text, message) => {
    await expect(loadContracts(moduleOf(name, text))).rejects.toThrow(message)
  })

  it('rejects a module that does not exist', async () => {
    await expect(loadContracts(join(folder, 'gone.ts'))).rejects.toThrow('does not exist')
  })
})
