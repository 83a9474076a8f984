import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { MachineError } from './machine-error.ts'
import { canReach, type Identity, serverIdentity } from './server-identity.ts'

export interface ServerFolder {
  readonly path: string
  readonly identity: Identity | null
}

/**
 * A folder the server can write. Run by root, a server drops to `nobody`, who cannot walk through a
 * closed home: then the folder moves below the system's temporary folder, and a line says so.
 */
export function prepareServerFolder(wanted: string): ServerFolder {
  const path = resolve(wanted)
  createFolder(path)
  const identity = serverIdentity(path)
  if (identity === null) {
    assertWritable(path)
    return { path, identity }
  }
  const reachable = canReach(dirname(path), identity) ? path : fallbackFolder(path, identity)
  own(reachable, identity)
  return { path: reachable, identity }
}

/** A folder for programs: written by us, read and run by the server's identity. */
export function prepareProgramFolder(wanted: string): string {
  const path = resolve(wanted)
  createFolder(path)
  const identity = serverIdentity(path)
  if (identity === null || canReach(path, identity)) return path
  return fallbackFolder(path, { uid: 0, gid: 0 })
}

/** Folders get mode 0755 whatever the umask says, or the server could not walk down to its own. */
export function createFolder(path: string): void {
  if (existsSync(path)) return
  createFolder(dirname(path))
  try {
    mkdirSync(path)
    chmodSync(path, 0o755)
  } catch (cause) {
    if (existsSync(path)) return
    throw notWritable(path, cause)
  }
}

export function own(path: string, identity: Identity | null): void {
  if (identity !== null) chownSync(path, identity.uid, identity.gid)
}

function assertWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw notWritable(path, cause)
  }
}

function notWritable(path: string, cause: unknown): MachineError {
  const sentence = `The folder ${path} cannot be written: make it writable for this user, or point MELMASTOON_DATA at a folder that is.`
  return new MachineError('NOT_WRITABLE', sentence, { cause })
}

/** The name is predictable, so a folder that somebody else put there first is refused. */
function fallbackFolder(path: string, owner: Identity): string {
  const name = `melmastoon-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`
  const fallback = join(tmpdir(), name)
  createFolder(fallback)
  const stats = lstatSync(fallback)
  if (!stats.isDirectory() || (stats.uid !== 0 && stats.uid !== owner.uid)) {
    const sentence = `The folder ${fallback} belongs to somebody else: remove it, or set MELMASTOON_DATA to a folder that every user may enter.`
    throw new MachineError('NOT_REACHABLE', sentence)
  }
  console.warn(`${path} lies below a folder closed to other users; using ${fallback} instead.`)
  return fallback
}

/** Two processes may prepare the same folder at once: the first one wins, the second one's goes. */
export function moveIntoPlace(staging: string, home: string): void {
  try {
    renameSync(staging, home)
  } catch (error) {
    rmSync(staging, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}
