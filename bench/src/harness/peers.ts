import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const home = new URL('../../peers/', import.meta.url)

export function peerProgram(file: string): URL {
  return new URL(file, home)
}

export function isPeerProgram({ href }: URL): boolean {
  return href.startsWith(home.href)
}

export function arePeersInstalled(): boolean {
  return existsSync(new URL('node_modules/.package-lock.json', home))
}

/** The alternatives are not part of the product: they are installed when they are measured. */
export function installPeers(): void {
  if (arePeersInstalled()) return
  console.log('Installing the alternatives to measure against …')
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  const done = spawnSync('npm', args, { cwd: fileURLToPath(home), stdio: 'inherit' })
  if (done.status !== 0) console.warn('They could not be installed: their lines stay empty.')
}

export function peerVersions(): Record<string, string> {
  const text = readFileSync(new URL('package.json', home), 'utf8')
  return (JSON.parse(text) as { dependencies: Record<string, string> }).dependencies
}
