import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { MachineError } from './machine-error.ts'
import { canReach, type Identity, serverIdentity } from './server-identity.ts'

export interface ServerFolder {
  /** Where the server finds its data while it runs. */
  readonly path: string
  /** Where the data is stored while the server is stopped; mostly the same folder. */
  readonly home: string
  readonly identity: Identity | null
}

/** Copies of programs that the server could not reach where they are. */
const PROGRAMS = 'programs'

/**
 * A folder that the server can write. When run by root, a server switches to `nobody`, who cannot
 * enter a private home directory: then the folder moves below the system's temporary folder, and a
 * warning is printed.
 */
export function prepareServerFolder(wanted: string): ServerFolder {
  const home = resolve(wanted)
  createFolder(home)
  const identity = serverIdentity(home)
  if (identity === null) {
    assertWritable(home)
    return { path: home, home, identity }
  }
  const path = canReach(dirname(home), identity) ? home : temporaryLocation(home, identity)
  own(path, identity)
  return { path, home, identity }
}

/** For a server that has stopped: leaves nothing in the temporary folder. */
export function returnData({ path, home }: ServerFolder): void {
  if (path === home || !existsSync(path)) return
  rmSync(join(path, PROGRAMS), { recursive: true, force: true })
  moveEntries(path, home)
  rmSync(path, { recursive: true, force: true })
}

/** The folder of a program itself, or a copy where the server can read and run it. */
export function reachableProgram(program: string, { path, identity }: ServerFolder): string {
  if (identity === null || canReach(program, identity)) return program
  const copy = join(path, PROGRAMS, basename(dirname(program)), basename(program))
  if (!existsSync(copy)) cpSync(program, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

/** Folders get mode 0755 regardless of the umask, so that the server can reach its data. */
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

function own(path: string, identity: Identity): void {
  chownSync(path, identity.uid, identity.gid)
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

/** The name is predictable, so a folder created there by another user is rejected. */
function temporaryLocation(home: string, identity: Identity): string {
  const hash = createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 12)
  const path = join(tmpdir(), `melmastoon-${hash}`)
  createFolder(path)
  const stats = lstatSync(path)
  if (!stats.isDirectory() || (stats.uid !== 0 && stats.uid !== identity.uid)) {
    const sentence = `The folder ${path} belongs to another user: remove it, or set MELMASTOON_DATA to a folder that every user may enter.`
    throw new MachineError('NOT_REACHABLE', sentence)
  }
  // After a crash the newest data is still here; otherwise it is at home.
  if (readdirSync(path).length === 0) moveEntries(home, path)
  return path
}

/** `mv` preserves owners, also from one file system to another. */
function moveEntries(from: string, to: string): void {
  const entries = readdirSync(from).map((entry) => join(from, entry))
  if (entries.length > 0) execFileSync('mv', ['-f', '-t', to, '--', ...entries])
}

/**
 * Two processes may prepare the same folder at once: the first one wins, the second one discards
 * its copy.
 */
export function moveIntoPlace(staging: string, home: string): void {
  try {
    renameSync(staging, home)
  } catch (error) {
    rmSync(staging, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}
