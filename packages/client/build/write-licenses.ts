import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LICENSE_FILE = /^licen[cs]e(?:\.\w+)?$/i

interface Licenses {
  readonly root: string
  readonly packages: readonly string[]
  readonly target: string
}

/** The licenses of the packages in the bundle require that their texts accompany it. */
export function writeLicenses({ root, packages, target }: Licenses): void {
  const names = [...new Set(packages)].toSorted()
  const texts = names.map((name) => {
    const folder = join(root, 'node_modules', name)
    const file = readdirSync(folder).find((entry) => LICENSE_FILE.test(entry))
    if (file === undefined) throw new Error(`${name} has no license`)
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      version: string
    }
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  writeFileSync(join(target, 'THIRD-PARTY-LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`))
}
