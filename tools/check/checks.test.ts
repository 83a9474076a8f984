import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checks } from './checks.ts'

/**
 * Every check is tested to fail on a violation: it runs over a small sample repository, first
 * without and then with one violation at a time.
 */
const repositoryRoot = new URL('../../', import.meta.url).pathname
const CONFIGURATION = ['tsconfig.json', 'biome.json', '.oxlintrc.json', '.dependency-cruiser.cjs']
/** Upstreams that anonymous requests must not use. */
const BOOKING_UPSTREAMS = ['reservation', 'inventory', 'payment', 'billing']
let root: string

const GOOD: Record<string, string> = {
  '.gitignore': 'node_modules\n.melmastoon\n',
  'package.json': '{\n  "name": "sample",\n  "type": "module"\n}\n',
  'packages/domain/src/index.ts': "export { size } from './size.ts'\n",
  'packages/domain/src/size.ts': 'export const size = 42\n',
  'packages/security/src/index.ts': 'export const key = 1\n',
  'packages/bff/src/stays/index.ts': "export { stay } from './stay.ts'\n",
  'packages/bff/src/stays/stay.ts': 'export const stay = 1\n',
  'packages/chassis/src/cache/index.ts': 'export const cache = 1\n',
  'packages/chassis/src/outbox/index.ts': "export { relay as outbox } from './relay.ts'\n",
  'packages/chassis/src/outbox/relay.ts': 'export const relay = 1\n',
  'packages/chassis/src/service/index.ts': 'export const service = 1\n',
  'services/bff-consumer-service/src/index.ts':
    "export type { Context } from './context.ts'\nexport { find } from './search/find.ts'\n",
  'services/bff-consumer-service/src/context.ts':
    "import type { Find } from './search/find.ts'\nexport interface Context {\n  find: Find\n}\n",
  'services/bff-consumer-service/src/search/find.ts':
    "import { tags } from '../places/tags.ts'\nexport type Find = typeof tags\nexport const find = tags\n",
  'services/bff-consumer-service/src/places/tags.ts': 'export const tags = 1\n',
  'services/one/src/index.ts': 'export const one = 1\n',
  'services/two/src/index.ts': 'export const two = 2\n',
  'services/platform-sandbox/src/modules/a/index.ts': "export { select as a } from './a-sql.ts'\n",
  'services/platform-sandbox/src/modules/a/a-sql.ts': 'export const select = 1\n',
  ...Object.fromEntries(
    BOOKING_UPSTREAMS.map((name) => [
      `packages/upstream-contracts/src/${name}/index.ts`,
      `export const ${name} = 1\n`,
    ]),
  ),
  'tools/index.ts': 'export const tool = 1\n',
  'bench/src/index.ts': 'export const bench = 1\n',
  'knip.json': '{\n  "entry": ["**/{index,context,find}.ts"],\n  "project": ["**/*.ts"]\n}\n',
}

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'checks-'))
  for (const name of CONFIGURATION) cpSync(join(repositoryRoot, name), join(root, name))
  symlinkSync(join(repositoryRoot, 'node_modules'), join(root, 'node_modules'))
  write(GOOD)
  execFileSync('git', ['init', '-q', root])
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

async function outcome(name: string): Promise<{ ok: boolean; output: string }> {
  const check = checks.find((candidate) => candidate.name === name)
  if (!check) throw new TypeError(`no check named ${name}`)
  return check.run(root)
}

async function withBroken(name: string, files: Record<string, string>) {
  write(files)
  try {
    return await outcome(name)
  } finally {
    for (const path of Object.keys(files)) rmSync(join(root, path))
    write(GOOD)
  }
}

const SOURCE = 'packages/domain/src/sample.ts'
const ALERTS = 'services/sample/alerts.yml'
const CONTRACT = 'services/sample/contracts/openapi.json'
const EXAMPLE = 'packages/testkit/src/example-service'

describe.each([
  ['types', { [SOURCE]: "export const n: number = 'one'\n" }, 'TS2322'],
  ['format', { [SOURCE]: 'export const  n = "one";\n' }, 'sample.ts'],
  [
    'lint',
    { [SOURCE]: 'export function f() {\n  Promise.resolve(1)\n}\n' },
    'no-floating-promises',
  ],
  ['dead-code', { 'packages/domain/src/unused.ts': 'export const n = 1\n' }, 'unused.ts'],
] as const)('%s', (name, broken, complaint) => {
  it('passes for the sample repository', { timeout: 60_000 }, async () => {
    const { ok, output } = await outcome(name)
    expect(ok, output).toBe(true)
  })

  it('fails on a violation', { timeout: 60_000 }, async () => {
    const result = await withBroken(name, broken)
    expect(result.ok).toBe(false)
    expect(result.output).toContain(complaint)
  })
})

/** A rule, the folder of a file that breaks it, and the text of that file. */
const CROSSED: readonly (readonly [rule: string, folder: string, text: string])[] = [
  ['domain-runs-anywhere', 'packages/domain/src', "export { readFileSync } from 'node:fs'\n"],
  ['client-runs-anywhere', 'packages/client/src', "export { createHash } from 'node:crypto'\n"],
  ['security-does-no-io', 'packages/security/src', "export { createServer } from 'node:http'\n"],
  [
    'no-service-imports-another',
    'services/one/src',
    "export { two } from '../../two/src/index.ts'\n",
  ],
  [
    'chassis-cache-siblings',
    'packages/chassis/src/cache',
    "export { outbox } from '../outbox/index.ts'\n",
  ],
  [
    'chassis-http-siblings',
    'packages/chassis/src/http',
    "export { outbox } from '../outbox/index.ts'\n",
  ],
  [
    'chassis-http-siblings',
    'packages/chassis/src/http',
    "export { service } from '../service/index.ts'\n",
  ],
  [
    'chassis-folders-by-their-index',
    'packages/chassis/src/inbox',
    "export { relay } from '../outbox/relay.ts'\n",
  ],
  [
    'bff-uses-only-shared-packages',
    'packages/bff/src/stays',
    "export { two } from '../../../../services/two/src/index.ts'\n",
  ],
  [
    'chassis-knows-no-product',
    'packages/chassis/src/cache',
    "export { stay } from '../../../bff/src/stays/stay.ts'\n",
  ],
  [
    'bff-folders-by-their-index',
    'packages/bff/src/sections',
    "export { stay } from '../stays/stay.ts'\n",
  ],
  [
    'consumer-feature-places',
    'services/bff-consumer-service/src/places',
    "export { find } from '../search/find.ts'\n",
  ],
  [
    'consumer-feature-places',
    'services/bff-consumer-service/src/places',
    "import type { Find } from '../search/find.ts'\nexport type Sample = Find\n",
  ],
  [
    'consumer-feature-is-listed',
    'services/bff-consumer-service/src/unlisted',
    "export { tags } from '../places/tags.ts'\n",
  ],
  [
    'consumer-feature-search',
    'services/bff-consumer-service/src/search',
    "import type { Context } from '../context.ts'\nexport type Sample = Context\n",
  ],
  [
    'sandbox-modules-by-their-entry',
    'services/platform-sandbox/src/modules/b',
    "export { select } from '../a/a-sql.ts'\n",
  ],
  [
    'sandbox-sql-only-in-its-module',
    'services/platform-sandbox/src',
    "export { select } from './modules/a/a-sql.ts'\n",
  ],
  ...BOOKING_UPSTREAMS.map((name): [string, string, string] => [
    'anonymous-traffic-never-reaches-bookings',
    'services/bff-consumer-service/src',
    `export { ${name} } from '../../../packages/upstream-contracts/src/${name}/index.ts'\n`,
  ]),
  ['fastify-only-in-http', 'services/one/src', "export { fastify } from 'fastify'\n"],
  ['postgres-only-in-db', 'services/one/src', "export { Pool } from 'pg'\n"],
  ['redis-only-in-redis', 'services/one/src', "export { Redis } from 'ioredis'\n"],
  ['postgres-only-in-db', EXAMPLE, "export { Pool } from 'pg'\n"],
  ['redis-only-in-redis', EXAMPLE, "export { Redis } from 'ioredis'\n"],
  [
    'nothing-imports-tools-or-bench',
    'services/one/src',
    "export { tool } from '../../../tools/index.ts'\n",
  ],
]

describe('boundaries', () => {
  it('passes for the sample repository', { timeout: 60_000 }, async () => {
    const { ok, output } = await outcome('boundaries')
    expect(ok, output).toBe(true)
  })

  describe('with one file for each violation', () => {
    const pathOf = (folder: string, index: number) => `${folder}/sample-${index}.ts`
    let result: { ok: boolean; output: string }

    beforeAll(async () => {
      const files = CROSSED.map(([, folder, text], index) => [pathOf(folder, index), text])
      result = await withBroken('boundaries', Object.fromEntries(files))
    }, 60_000)

    it('fails', () => expect(result.ok).toBe(false))

    it.each(CROSSED.map(([rule, folder], index) => [rule, pathOf(folder, index)]))(
      '%s: %s',
      (rule, path) => {
        expect(result.output).toContain(`${rule}: ${path} → `)
      },
    )
  })

  it('fails when the parser reads hardly any module', { timeout: 60_000 }, async () => {
    const nothing = "module.exports = { options: { includeOnly: '^nothing' } }\n"
    write({ '.dependency-cruiser.cjs': nothing })
    const result = await outcome('boundaries')
    cpSync(join(repositoryRoot, '.dependency-cruiser.cjs'), join(root, '.dependency-cruiser.cjs'))
    expect(result).toMatchObject({ ok: false })
    expect(result.output).toContain('the parser is broken')
  })
})

describe('tidiness', () => {
  it.each([
    ['lines; a source file', { [SOURCE]: '\n'.repeat(401) }],
    ['a comment has at most', { [SOURCE]: `// ${'x'.repeat(100)}\n` }],
    ['too general', { 'packages/domain/src/utils.ts': '' }],
    ['kebab-case', { 'packages/domain/src/someThing.ts': '' }],
    ['unfinished work', { [SOURCE]: '// TODO later\n' }],
    ['plain technical English', { [SOURCE]: '// What she asked for\n' }],
    ['machine', { [SOURCE]: "const data = '/root/data'\n" }],
    ['registry host', { [SOURCE]: "const url = 'https://registry.example'\n" }],
    ['silenced type error', { [SOURCE]: '// @ts-ignore\n' }],
    ['silenced lint rule', { [SOURCE]: '// oxlint-disable-next-line\n' }],
    ['focused', { 'packages/domain/src/sample.test.ts': "it.only('x', () => {})\n" }],
    ['from a Clock', { [SOURCE]: 'export const n = Date.now()\n' }],
    ['environment', { [SOURCE]: 'export const e = process.env.X\n' }],
    ['environment', { [`${EXAMPLE}/sample.ts`]: 'export const e = process.env.X\n' }],
    ['SQL belongs', { [`${EXAMPLE}/sample.ts`]: 'export const q = sql`select 1`\n' }],
    ['double cast', { [SOURCE]: 'export const n = 1 as unknown as string\n' }],
    ['SQL belongs', { [SOURCE]: 'export const q = sql`select 1`\n' }],
    ['which does not exist', { 'docs/sample.md': '# Sample\n\n[gone](gone.md)\n' }],
    ['titles', { 'docs/sample.md': '# One\n\n# Two\n' }],
    ['no test owns scenario IDEM-01', {}],
    ['cites P1, which', { [SOURCE]: '/** Never twice (P1). */\n' }],
    ['explains P1 twice', { 'docs/requirements.md': '# R\n\n| P1 | a |\n| P1 | b |\n' }],
    ['reads SOME_URL, which', { [SOURCE]: "export const url = envUrl('SOME_URL')\n" }],
    ['lists GONE_URL, which', { 'docs/configuration.md': '# C\n\n| `GONE_URL` | x |\n' }],
    ['uses gone_total, which', { [ALERTS]: 'expr: bff_consumer_gone_total > 0\n' }],
    [
      'uses the route .+/gone, which',
      { [ALERTS]: 'expr: x{route=~".+/gone"}\n', [CONTRACT]: '{"paths": {"/v1/here": {}}}\n' },
    ],
    ['Gone has no runbook', { [ALERTS]: '- alert: Gone\n' }],
    ['there is no docs/gone.md', { [ALERTS]: '- alert: Gone\n  runbook: docs/gone.md\n' }],
    ['names gone_total, which', { 'docs/runbooks/sample.md': '# S\n\n`gone_total{x}`\n' }],
    [
      'states that sample returns 200 503 200, but',
      { 'docs/runbooks/README.md': '# R\n\n| `sample` | 200 | 503 | 200 |\n' },
    ],
    [
      'does not list packages/domain/src/service.ts, whose definition has 503 200',
      {
        'docs/runbooks/README.md': '# R\n',
        'packages/domain/src/service.ts': "  requiredDependencies: ['postgres'],\n",
      },
    ],
    ['this document is missing', {}],
  ])('%s', async (complaint, files) => {
    const result = await withBroken('tidiness', files)
    expect(result.ok).toBe(false)
    expect(result.output).toContain(complaint)
  })

  it('rejects two owners of one scenario', async () => {
    const test = "it('IDEM-01 x', () => {})\n"
    const files = { 'packages/a/tests/a.test.ts': test, 'packages/b/tests/b.test.ts': test }
    expect((await withBroken('tidiness', files)).output).toContain('more than one owner')
  })

  it('accepts one owner of a scenario in each service', async () => {
    const test = "it('IDEM-01 x', () => {})\n"
    const files = { 'services/a/tests/a.test.ts': test, 'services/b/tests/b.test.ts': test }
    expect((await withBroken('tidiness', files)).output).not.toContain('more than one owner')
  })

  it('reports nothing about the sources of the sample', async () => {
    const { output } = await outcome('tidiness')
    expect(output).not.toContain('packages/')
  })
})
