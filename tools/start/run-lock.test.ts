import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { identifyProcess, isRunning, parseIdentity } from '@melmastoon/one-machine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeRunLock } from './run-lock.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mel-lock-'))
  file = join(folder, 'supervisor.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('takeRunLock', () => {
  it('is held by one process at a time and released at the end', () => {
    const lock = takeRunLock(folder)
    expect(() => takeRunLock(folder)).toThrow(`process ${process.pid}`)
    lock[Symbol.dispose]()
    expect(existsSync(file)).toBe(false)
  })

  it.each([
    ['a process that has exited', JSON.stringify({ pid: 4_194_303, startTicks: '1' })],
    ['a pid that now is another process', JSON.stringify({ pid: process.pid, startTicks: '1' })],
    ['a crash while writing', '{"pid":'],
    ['an empty file', ''],
  ])('is taken over from %s', (_what, content) => {
    writeFileSync(file, content)
    using _lock = takeRunLock(folder)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(identifyProcess(process.pid))
  })

  it('does not release a lock that another process has taken', () => {
    const lock = takeRunLock(folder)
    writeFileSync(file, 'another')
    lock[Symbol.dispose]()
    expect(readFileSync(file, 'utf8')).toBe('another')
  })
})

describe('identifyProcess', () => {
  it('identifies a process by pid and start time', () => {
    const mine = identifyProcess(process.pid)
    expect(mine).toMatchObject({ pid: process.pid, startTicks: expect.stringMatching(/^\d+$/) })
    expect(mine !== null && isRunning(mine)).toBe(true)
    expect(isRunning({ pid: process.pid, startTicks: '0' })).toBe(false)
  })

  it('reads only well-formed records', () => {
    expect(parseIdentity({ pid: 12, startTicks: '3' })).toEqual({ pid: 12, startTicks: '3' })
    for (const value of [null, {}, { pid: 1, startTicks: '3' }, { pid: '12', startTicks: '3' }]) {
      expect(parseIdentity(value)).toBeNull()
    }
  })
})
