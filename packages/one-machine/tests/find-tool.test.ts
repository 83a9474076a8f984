import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findTool } from '@melmastoon/one-machine'
import { temporaryFolder } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { withEnvironment } from './environment.ts'

function writeProgram(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
}

/** A fake mirror: an apt-get that knows one package, and nothing before its lists exist. */
function fakeMirror(folder: string, script: string): Disposable {
  const bin = join(folder, 'bin')
  writeProgram(join(bin, 'apt-get'), `echo "$@" >> ${folder}/calls\n${script}`)
  const path = `${bin}:${process.env['PATH']}`
  return withEnvironment({ PATH: path, MELMASTOON_DATA: join(folder, 'data') })
}

function buildPackage(folder: string): string {
  const root = join(folder, 'package')
  writeProgram(join(root, 'usr/bin/mel-greet'), 'echo greetings')
  mkdirSync(join(root, 'DEBIAN'))
  const control =
    'Package: mel-greet\nVersion: 1\nArchitecture: all\nMaintainer: m\nDescription: d\n'
  writeFileSync(join(root, 'DEBIAN/control'), control)
  const file = join(folder, 'mel-greet.deb')
  execFileSync('dpkg-deb', ['--build', root, file], { stdio: 'ignore' })
  return file
}

describe('findTool', () => {
  it('prefers an installed program', async () => {
    const tool = await findTool('sh', { packages: [] })
    expect(tool.path).toMatch(/\/sh$/)
    expect(tool.env).toEqual({})
  })

  it('refreshes missing package lists, unpacks the package, and fetches it only once', async () => {
    using folder = temporaryFolder()
    const file = buildPackage(folder.path)
    using _mirror = fakeMirror(
      folder.path,
      `case "$*" in
        *update*) touch ${folder.path}/lists;;
        *download*) [ -f ${folder.path}/lists ] || { echo 'E: Unable to locate package'; exit 100; }
          cp ${file} .;;
      esac`,
    )
    const find = () => findTool('mel-greet', { packages: ['mel-greet'] })
    const [first, second] = await Promise.all([find(), find()])
    expect(await find()).toEqual(first)
    expect(execFileSync(first.path, { encoding: 'utf8' })).toBe('greetings\n')
    expect(second).toEqual(first)
    const calls = readFileSync(join(folder.path, 'calls'), 'utf8').split('\n')
    expect(calls.filter((call) => call.endsWith('update'))).toHaveLength(1)
    expect(calls.filter((call) => call.includes(' download '))).toHaveLength(2)
  })

  it.for([
    ['NO_NETWORK', `Err:1 Temporary failure resolving 'mirror'`],
    ['TOOL_MISSING', 'E: Unable to locate package mel-greet'],
  ] as const)('throws %s when apt-get prints «%s»', async ([code, words]) => {
    using folder = temporaryFolder()
    using _mirror = fakeMirror(folder.path, `echo "${words}"; exit 100`)
    const find = findTool('mel-greet', { packages: ['mel-greet'] })
    await expect(find).rejects.toMatchObject({ code })
    expect(existsSync(join(folder.path, 'data/tools/mel-greet'))).toBe(false)
  })
})
