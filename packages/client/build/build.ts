import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleCode } from './bundle-code.ts'
import { bundleTypes, SERVICES } from './bundle-types.ts'
import { writeLicenses } from './write-licenses.ts'
import { writeManifest } from './write-manifest.ts'

const folder = fileURLToPath(new URL('../', import.meta.url))
const root = join(folder, '..', '..')

/** The modules of the package that have code. */
const MODULES = ['index', 'messages']

/** Builds next to `dist`, which is the package, and replaces it at the end. */
async function build(): Promise<void> {
  const target = mkdtempSync(join(folder, '.build-'))
  try {
    const entries = MODULES.map((name) => [name, join(folder, 'src', `${name}.ts`)])
    const bundled = await bundleCode(Object.fromEntries(entries), target)
    const declared = await bundleTypes({ root, folder, target })
    writeLicenses({ root, packages: [...bundled, ...declared], target })
    copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
    writeManifest({ folder, target }, { modules: MODULES, typeModules: Object.keys(SERVICES) })
    rmSync(join(folder, 'dist'), { recursive: true, force: true })
    renameSync(target, join(folder, 'dist'))
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}

await build()
