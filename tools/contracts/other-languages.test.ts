import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const program = (name: string) => join(root, 'tools', 'contracts', name)
const documentOf = (service: string) => join(root, 'services', service, 'contracts', 'openapi.json')
const hasPython = spawnSync('python3', ['--version']).status === 0
const MAX_BYTES = 16 * 1024 * 1024
const TIMEOUT_MS = 60_000

const validate = (path: string) => run(process.execPath, [program('validate-document.mjs'), path])

async function generatePython(path: string): Promise<string> {
  const args = [program('generate-python.mjs'), path]
  return (await run(process.execPath, args, { maxBuffer: MAX_BYTES })).stdout
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mel-languages-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The services, and how many bodies of their documents have a schema and an example at least. */
const SERVICES: [service: string, examplesMin: number][] = [
  ['bff-consumer-service', 30],
  ['bff-tenant-booking-service', 30],
  ['bff-backoffice-service', 60],
]

describe.concurrent('the OpenAPI document', () => {
  it.each([...SERVICES, ['platform-sandbox', 0] as const])(
    'of %s is valid according to an independent validator',
    async (service) => {
      const path = documentOf(service)
      expect(readFileSync(path, 'utf8')).toContain('"openapi": "3.1.')
      await validate(path)
    },
    TIMEOUT_MS,
  )

  it.for(SERVICES)(
    'of %s is accepted by a generator of Python classes',
    { timeout: TIMEOUT_MS },
    async ([service, examplesMin], { skip }) => {
      const path = documentOf(service)
      const generated = join(folder, `${service}.py`)
      const text = await generatePython(path)
      expect(text).toContain('@dataclass')
      skip(!hasPython, 'the classes are not compiled: python3 is not installed')
      writeFileSync(generated, text)
      await run('python3', ['-m', 'py_compile', generated])
      const { stdout } = await run('python3', [program('read-examples.py'), generated, path])
      expect(Number(stdout)).toBeGreaterThanOrEqual(examplesMin)
    },
  )
})

describe('negative controls', () => {
  const changed = (change: (document: Record<string, never>) => void) => {
    const document = JSON.parse(readFileSync(documentOf('platform-sandbox'), 'utf8'))
    change(document)
    const path = join(folder, 'changed.json')
    writeFileSync(path, JSON.stringify(document))
    return path
  }

  it('the validator rejects a document without a title', { timeout: TIMEOUT_MS }, async () => {
    const path = changed((document) => delete document['info'])
    await expect(validate(path)).rejects.toThrow('info')
  })

  it('the generator rejects a reference to nothing', { timeout: TIMEOUT_MS }, async () => {
    const path = changed((document) => {
      const schemas = { Broken: { $ref: '#/components/schemas/Nothing' } }
      Object.assign(document, { components: { schemas } })
    })
    await expect(generatePython(path)).rejects.toThrow('Nothing not in schema')
  })
})
