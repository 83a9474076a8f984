// Plain JavaScript for Node 20: this runs before any package is installed.
import { createHash } from 'node:crypto'

/** @param {string} lockText */
export function lockHash(lockText) {
  return createHash('sha256').update(lockText).digest('hex')
}

/**
 * `current`: the stamp is the hash of this lockfile. `adoptable`: the packages were installed with
 * npm directly and match the lockfile, so only the stamp is missing. `needed`: install.
 *
 * @param {{ lockText: string, stampText: string | null, installedText: string | null }} texts
 * @returns {'current' | 'adoptable' | 'needed'}
 */
export function installState({ lockText, stampText, installedText }) {
  if (installedText === null) return 'needed'
  if (stampText !== null && stampText.trim() === lockHash(lockText)) return 'current'
  return matchesLock(parsePackages(lockText), parsePackages(installedText)) ? 'adoptable' : 'needed'
}

/** Nothing is missing or different, and nothing is installed that the lockfile does not list. */
function matchesLock(wanted, installed) {
  if (wanted === null || installed === null) return false
  return (
    packagePaths(wanted).every((path) => sameEntry(wanted[path], installed[path])) &&
    packagePaths(installed).every((path) => path in wanted)
  )
}

function packagePaths(packages) {
  return Object.keys(packages).filter((path) => /(^|\/)node_modules\//.test(path))
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
