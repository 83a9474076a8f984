import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openServiceLog } from './service-log.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mel-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('openServiceLog', () => {
  it('appends to the file, buffers the last lines and reports complete lines', async () => {
    const file = join(folder, 'a.log')
    const lines: string[] = []
    const log = openServiceLog({ file, onLine: (line) => lines.push(line) })
    log.write('one\ntw')
    log.write('o\nthree')
    await log.close()
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\nthree')
    expect(log.lastLines(2)).toBe('two\nthree')
    expect(lines).toEqual(['one', 'two'])
    const again = openServiceLog({ file })
    again.write('\nfour\n')
    await again.close()
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\nthree\nfour\n')
  })

  it('rotates a file that is too large and retains one older file', async () => {
    const file = join(folder, 'b.log')
    const log = openServiceLog({ file, maxBytes: 10 })
    log.write('0123456789a')
    log.write('second')
    await log.close()
    expect(readFileSync(`${file}.1`, 'utf8')).toBe('0123456789a')
    expect(readFileSync(file, 'utf8')).toBe('second')
  })
})
