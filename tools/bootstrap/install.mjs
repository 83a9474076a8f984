// Plain JavaScript for Node 20: this runs before any package is installed.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { holdInstallLock } from './install-lock.mjs'
import { installState, lockHash } from './install-state.mjs'
import {
  installFailed,
  installStopped,
  lockfileMismatch,
  noNpm,
  productRunning,
} from './messages.mjs'
import { isRegistryReachable } from './registry.mjs'
import { runningSupervisor } from './running-supervisor.mjs'

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Makes node_modules match the lockfile. */
export async function install(root) {
  if (checkInstalled(root) !== 'needed') return
  const release = await holdInstallLock(root)
  try {
    // Another command may have installed while this one waited for the lock.
    if (checkInstalled(root) !== 'needed') return
    const pid = runningSupervisor(root)
    if (pid !== null) throw productRunning(pid)
    await installNow(root)
  } finally {
    release()
  }
}

function checkInstalled(root) {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const state = installState({
    lockText,
    stampText: readOrNull(stampFile(root)),
    installedText: readOrNull(join(root, 'node_modules', '.package-lock.json')),
  })
  if (state === 'adoptable') stamp(root, lockText)
  return state
}

async function installNow(root) {
  const first = !existsSync(join(root, 'node_modules'))
  const note = first ? 'installing packages, once: about a minute' : 'packages changed: installing'
  console.log(`… ${note}`)
  const startedAt = performance.now()
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const { code, output } = await npmInstall(root)
  if (code !== 0) throw installFailed(output, root)
  if (checkInstalled(root) === 'needed') throw lockfileMismatch()
  stamp(root, lockText)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`✓ ${'packages installed'.padEnd(52)}${seconds.padStart(6)} s`)
}

/**
 * Not `npm ci`, which rejects a lockfile without the optional packages of other platforms, although
 * npm omits them when the registry does not have them. The result is compared with the lockfile
 * afterwards, which is as strict, and packages that are already installed are not fetched again.
 */
async function npmInstall(root) {
  const npm = npmCommand(root)
  const place = { cwd: root, env: installEnvironment() }
  // Without a network, npm's cache may contain everything that is needed.
  const source = (await isRegistryReachable(npm, place)) ? '--prefer-offline' : '--offline'
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  return runQuietly(npm.command, [...npm.args, 'install', source, ...quiet], place)
}

function runQuietly(command, args, place) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...place, stdio: ['ignore', 'pipe', 'pipe'] })
    let stopped = false
    const stop = () => {
      stopped = true
      child.kill('SIGTERM')
    }
    for (const signal of STOP_SIGNALS) process.once(signal, stop)
    let output = ''
    const collect = (chunk) => {
      output = (output + chunk).slice(-20_000)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', (error) => reject(error.code === 'ENOENT' ? noNpm() : error))
    child.on('close', (code) => {
      for (const each of STOP_SIGNALS) process.off(each, stop)
      if (stopped) reject(installStopped())
      else resolve({ code: code ?? 1, output })
    })
  })
}

/** Runs npm on the Node it came with: the project's own version is about to be replaced. */
function npmCommand(root) {
  const cli = process.env['npm_execpath']
  const node = process.env['npm_node_execpath']
  const inside = (path) => path.startsWith(join(root, 'node_modules'))
  if (cli && node && !inside(cli) && !inside(node) && existsSync(cli) && existsSync(node)) {
    return { command: node, args: [cli] }
  }
  const sibling = join(dirname(process.execPath), 'npm')
  return { command: !inside(sibling) && existsSync(sibling) ? sibling : 'npm', args: [] }
}

/** Options of the outer `npm start -- …` must not affect the npm started here. */
function installEnvironment() {
  const env = { ...process.env }
  for (const name of Object.keys(env)) {
    if (/^npm_(lifecycle|package|command)/.test(name)) delete env[name]
  }
  delete env['NODE_ENV']
  delete env['npm_config_omit']
  delete env['npm_config_workspace']
  return env
}

function stamp(root, lockText) {
  try {
    writeFileSync(stampFile(root), `${lockHash(lockText)}\n`)
  } catch {
    // A read-only installation works as well; without the stamp it is compared again next time.
  }
}

const stampFile = (root) => join(root, 'node_modules', '.melmastoon-installed')

function readOrNull(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
