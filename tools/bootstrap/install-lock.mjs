// Plain JavaScript for Node 20: this runs before any package is installed.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installStuck, readOnly } from './messages.mjs'
import { isAlive } from './running-supervisor.mjs'

const WAIT_MS = 10 * 60_000

/** When two commands start in a fresh clone, one installs and the other waits for it. */
export async function holdInstallLock(root) {
  const file = join(root, '.melmastoon', 'install.lock')
  const giveUpAt = Date.now() + WAIT_MS
  let isReported = false
  while (!take(file, root)) {
    const holder = holderOf(file)
    if (holder === null || !isAlive(holder)) {
      rmSync(file, { force: true })
      continue
    }
    if (Date.now() > giveUpAt) throw installStuck(holder, file)
    if (!isReported)
      console.log(`… waiting for process ${holder}, which is installing the packages`)
    isReported = true
    await sleep(250)
  }
  return () => rmSync(file, { force: true })
}

function take(file, root) {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${process.pid}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw readOnly(root)
  }
}

function holderOf(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? pid : null
  } catch {
    return null
  }
}
