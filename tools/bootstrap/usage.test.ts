import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { discoverServices } from '../start/discover-services.ts'
import { usageOf } from './usage.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
/** The formatter has its own. */
const commands = Object.keys(scripts).filter((name) => name !== 'format')

let clone: string
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'mel-help-'))
  const isPart = (path: string) => !/node_modules|\/(?:src|tests|contracts)(?:\/|$)/.test(path)
  for (const part of ['package.json', 'tools', 'services']) {
    cpSync(join(root, part), join(clone, part), { recursive: true, filter: isPart })
  }
})
afterAll(() => rmSync(clone, { recursive: true, force: true }))

describe('--help', () => {
  it.each(commands)('of %s prints its usage in a clone without packages', (name) => {
    const [program = '', ...args] = (scripts[name] ?? '').replace(/^exec node /, '').split(' ')
    const output = execFileSync(process.execPath, [program, ...args, '--help'], {
      cwd: clone,
      encoding: 'utf8',
    })
    expect(output).toContain(
      name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`,
    )
    expect(output.trim()).toBe(usageOf(name, root)?.trim())
    expect(readdirSync(clone).toSorted()).toEqual(['package.json', 'services', 'tools'])
  })

  it('of start lists every port and its variable', () => {
    const help = usageOf('start', root)
    expect(help).toMatch(/^ {2}54320 +MELMASTOON_POSTGRES_PORT$/m)
    expect(help).toMatch(/^ {2}63791 +MELMASTOON_REDIS_CACHE_PORT$/m)
    expect(help?.match(/_INTERNAL_PORT/g)).toHaveLength(discoverServices(root).length)
  })
})
