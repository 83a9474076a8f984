import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Places {
  readonly folder: string
  readonly target: string
}

export interface Entries {
  /** The modules that have code; `index` is the package itself. */
  readonly modules: readonly string[]
  /** The modules that have only types. */
  readonly typeModules: readonly string[]
}

type Exports = Record<string, string | Readonly<Record<string, string>>>

/** Members that the package has in common with the workspace. */
const SHARED = ['name', 'version', 'description', 'license', 'type', 'sideEffects', 'engines']

/**
 * The package has a manifest of its own: that of the workspace exports the source, which is not in
 * the package, and lists what only the build needs.
 */
export function writeManifest({ folder, target }: Places, entries: Entries): void {
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  const workspace = JSON.parse(text) as Record<string, unknown>
  const manifest = {
    ...Object.fromEntries(SHARED.map((member) => [member, workspace[member]])),
    exports: exportsOf(entries),
    files: ['*.js', '*.d.ts', '*.txt', 'types'],
  }
  checkTargets(manifest.exports, target)
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(folder, 'README.md'), join(target, 'README.md'))
}

function exportsOf({ modules, typeModules }: Entries): Exports {
  const named = (name: string) => (name === 'index' ? '.' : `./${name}`)
  const withCode = modules.map((name) => [
    named(name),
    { types: `./${name}.d.ts`, default: `./${name}.js` },
  ])
  const withTypes = typeModules.map((name) => [named(name), { types: `./${name}.d.ts` }])
  return Object.fromEntries([...withCode, ...withTypes, ['./package.json', './package.json']])
}

function checkTargets(exports: Exports, target: string): void {
  const { './package.json': _itself, ...modules } = exports
  for (const file of Object.values(modules).flatMap((each) => Object.values(each))) {
    if (!existsSync(join(target, file))) throw new Error(`the build lacks ${file}`)
  }
}
