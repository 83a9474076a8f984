import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Identity {
  readonly uid: number
  readonly gid: number
}

/**
 * The user a server runs as; null means the current one. Postgres does not run as root, and an
 * unprotected Redis running as root would let any local user write files as root. A folder that
 * belongs to an ordinary user stays theirs, so that this user can continue to use it.
 */
export function serverIdentity(folder: string): Identity | null {
  if (process.getuid?.() !== 0) return null
  const owner = statSync(folder, { throwIfNoEntry: false })
  return owner !== undefined && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody()
}

/** Whether that identity may enter the folder, which exists, and every folder above it. */
export function canReach(folder: string, identity: Identity): boolean {
  return mayEnterAll(realpathSync(folder), identity)
}

function mayEnterAll(folder: string, identity: Identity): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats !== undefined && !mayEnter(stats, identity)) return false
  const parent = dirname(folder)
  return parent === folder || mayEnterAll(parent, identity)
}

function mayEnter(stats: { mode: number; uid: number; gid: number }, identity: Identity): boolean {
  if (stats.uid === identity.uid) return (stats.mode & 0o100) !== 0
  if (stats.gid === identity.gid) return (stats.mode & 0o010) !== 0
  return (stats.mode & 0o001) !== 0
}

function nobody(): Identity {
  const line = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(\d+):(\d+):/m)
  return line === null
    ? { uid: 65_534, gid: 65_534 }
    : { uid: Number(line[1]), gid: Number(line[2]) }
}
