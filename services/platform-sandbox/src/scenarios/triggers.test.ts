import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { FAULT_KINDS } from './fault.ts'
import { parseFault, SCENARIO_HEADER } from './parse-fault.ts'
import { renderTriggers } from './render-triggers.ts'
import { TRIGGERS } from './triggers.ts'

const words = TRIGGERS.flatMap(({ value, where }) => {
  const [header, word] = value.split(': ')
  return header?.toLowerCase() === SCENARIO_HEADER ? [{ word: word ?? '', where }] : []
})

describe('the table of triggers', () => {
  it('lists every fault in a valid spelling', () => {
    const faults = words.filter(({ where }) => where === 'every upstream')
    const kinds = faults.map(({ word }) => parseFault(word)?.kind)
    expect(new Set(kinds)).toEqual(new Set(FAULT_KINDS))
  })

  it('lists no module scenario that is also a fault', () => {
    const own = words.filter(({ where }) => where !== 'every upstream')
    expect(own.map(({ word }) => parseFault(word)).filter(Boolean)).toEqual([])
  })

  it('lists every header value that a module uses', async () => {
    const folder = new URL('../modules/', import.meta.url)
    const files = globSync('**/*.ts', { cwd: folder })
    const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')))
    const compared = texts.flatMap((text) =>
      [...text.matchAll(/scenario === '([^']+)'/g)].map((match) => match[1]),
    )
    expect(compared.length).toBeGreaterThan(0)
    expect(words.map(({ word }) => word)).toEqual(expect.arrayContaining(compared))
  })

  it('has no duplicates', () => {
    const values = TRIGGERS.map(({ value, where }) => `${where} ${value}`)
    expect(values).toHaveLength(new Set(values).size)
  })

  it('matches the documentation', async () => {
    const page = new URL('../../../../docs/sandbox-triggers.md', import.meta.url)
    await expect(renderTriggers(TRIGGERS)).toMatchFileSnapshot(page.pathname)
  })
})
