import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = new URL('.', import.meta.url)
const sources = readdirSync(folder).filter((name) => /(?<!\.test)\.ts$/.test(name))
const NODE_ONLY =
  /from '(?:node:|@melmastoon)|import\('|require\(|\bprocess\.|\bBuffer\b|\b__dirname\b/

describe('the domain package runs in a browser', () => {
  it('finds the sources', () => {
    expect(sources).toContain('index.ts')
    expect(NODE_ONLY.test("import { hash } from 'node:crypto'")).toBe(true)
  })

  it.each(sources)('%s uses no Node API', (name) => {
    expect(readFileSync(new URL(name, folder), 'utf8')).not.toMatch(NODE_ONLY)
  })
})
