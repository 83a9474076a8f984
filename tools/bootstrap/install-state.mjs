// Plain JavaScript for Node 20: this runs before any package is installed.
import { createHash } from 'node:crypto'

/** @param {string} lockText */
export function lockHash(lockText) {
  return createHash('sha256').update(lockText).digest('hex')
}

/**
 * `current`: the stamp names this very lockfile. `adoptable`: somebody ran npm by hand and what is
 * installed is what the lockfile asks for, so only the stamp is missing. `needed`: install.
 *
 * @param {{ lockText: string, stampText: string | null, installedText: string | null }} texts
 * @returns {'current' | 'adoptable' | 'needed'}
 */
export function installState({ lockText, stampText, installedText }) {
  if (installedText === null) return 'needed'
  if (stampText !== null && stampText.trim() === lockHash(lockText)) return 'current'
  return matchesLock(parsePackages(lockText), parsePackages(installedText)) ? 'adoptable' : 'needed'
}

function matchesLock(wanted, installed) {
  if (wanted === null || installed === null) return false
  return Object.entries(wanted)
    .filter(([path]) => path.startsWith('node_modules/') || path.includes('/node_modules/'))
    .every(([path, entry]) => sameEntry(entry, installed[path]))
}

function sameEntry(wanted, found) {
  // npm leaves out optional packages made for another platform.
  if (found === undefined) return wanted.optional === true
  return (
    wanted.version === found.version &&
    wanted.integrity === found.integrity &&
    (wanted.link !== true || wanted.resolved === found.resolved)
  )
}

function parsePackages(text) {
  try {
    return JSON.parse(text).packages ?? null
  } catch {
    return null
  }
}
