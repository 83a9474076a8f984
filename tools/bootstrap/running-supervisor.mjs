// Plain JavaScript for Node 20: this runs before any package is installed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The pid of the product running from this repository, or null. */
export function runningSupervisor(root) {
  return supervisorOf(process.env['MELMASTOON_DATA'] || join(root, '.melmastoon'))
}

/** The pid of the product running from this data folder, or null. */
export function supervisorOf(data) {
  try {
    const { pid } = JSON.parse(readFileSync(join(data, 'run', 'supervisor.json'), 'utf8'))
    return Number.isInteger(pid) && isAlive(pid) ? pid : null
  } catch {
    return null
  }
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
