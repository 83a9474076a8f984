import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The types of a service are at `@melmastoon/client/<name>`. */
export const SERVICES = {
  consumer: 'bff-consumer-service',
  booking: 'bff-tenant-booking-service',
  backoffice: 'bff-backoffice-service',
} as const

/** Packages that occur in the declarations, and their place in `types`. */
const PACKAGES: Readonly<Record<string, string>> = {
  '@melmastoon/domain': 'packages/domain/src/index.js',
  '@melmastoon/domain/messages': 'packages/domain/src/messages/index.js',
  'openapi-fetch': 'openapi-fetch/index.js',
  'openapi-typescript-helpers': 'openapi-typescript-helpers/index.js',
}
const DECLARATIONS: Readonly<Record<string, string>> = {
  'openapi-fetch': 'dist/index.d.mts',
  'openapi-typescript-helpers': 'dist/index.d.mts',
}
const SPECIFIER = /(?<=\bfrom ['"]|\bimport\(['"])[^'"]+(?=['"])/g

interface Places {
  readonly root: string
  readonly folder: string
  readonly target: string
}

/**
 * The compiler writes one file of declarations per module, and those of other packages are copied
 * next to them, because it cannot join them and other tools that can need its former API.
 * @returns the names of the packages whose declarations were copied
 */
export async function bundleTypes({ root, folder, target }: Places): Promise<string[]> {
  const types = join(target, 'types')
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const project = join(folder, 'tsconfig.build.json')
  await run(process.execPath, [compiler, '-p', project, '--outDir', types]).catch(
    (failure: { stdout?: string }) => {
      throw new Error(failure.stdout, { cause: failure })
    },
  )
  for (const [name, file] of Object.entries(DECLARATIONS)) {
    mkdirSync(join(types, name))
    copyFileSync(join(root, 'node_modules', name, file), join(types, name, 'index.d.ts'))
  }
  for (const file of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.d.ts')) resolveSpecifiers(types, join(types, file))
  }
  for (const name of ['index', 'messages']) {
    const declared = `export * from './types/packages/client/src/${name}.js'\n`
    writeFileSync(join(target, `${name}.d.ts`), declared)
  }
  for (const [name, service] of Object.entries(SERVICES)) {
    const source = join(root, 'services', service, 'contracts', 'openapi.d.ts')
    copyFileSync(source, join(target, `${name}.d.ts`))
  }
  return Object.keys(DECLARATIONS)
}

/** Makes all of them relative, with the suffix of the code, which compilers replace. */
function resolveSpecifiers(types: string, file: string): void {
  const text = readFileSync(file, 'utf8').replace(SPECIFIER, (specifier) => {
    const place = PACKAGES[specifier] ?? relative(types, join(dirname(file), specifier))
    const target = join(types, place.replace(/\.[jt]s$/, ''))
    if (!existsSync(`${target}.d.ts`)) throw new Error(`${file} imports ${specifier}`)
    const path = relative(dirname(file), `${target}.js`)
    return path.startsWith('.') ? path : `./${path}`
  })
  writeFileSync(file, text)
}
