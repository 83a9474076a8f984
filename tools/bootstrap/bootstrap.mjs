// Plain JavaScript for Node 20: this runs before any package is installed.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { install } from './install.mjs'
import { BootstrapError, noProjectNode, notInstalled, oldNode } from './messages.mjs'
import { isHelpRequested, usageOf } from './usage.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/**
 * Installs missing packages, then runs a TypeScript program of this repository on the project's own
 * Node: in this process if it already runs on that version, otherwise in a child process. `--help`
 * installs nothing.
 *
 * @param {{ name: string, program: string, installs: boolean }} command
 * the npm script, the path of its program, and whether it installs packages itself
 * @param {(message: string) => void} [onFailure] called after the message was printed
 */
export async function bootstrap({ name, program, installs }, onFailure) {
  if (isHelpRequested(process.argv.slice(2))) {
    console.log(usageOf(name, root))
    return
  }
  try {
    if (major(process.versions.node) < 20) throw oldNode(process.versions.node)
    if (installs) await install(root)
    else if (!existsSync(join(root, 'node_modules'))) throw notInstalled()
    await runOnProjectNode(join(root, program))
  } catch (error) {
    if (!(error instanceof BootstrapError)) throw error
    console.error(`✗ ${error.message}`)
    onFailure?.(error.message)
    process.exitCode = 1
  }
}

async function runOnProjectNode(program) {
  const node = projectNode()
  process.env['PATH'] = [join(root, 'node_modules', '.bin'), process.env['PATH']].join(':')
  if (node === process.execPath) await import(pathToFileURL(program).href)
  else process.exitCode = await runChild(node, program)
}

function projectNode() {
  const packaged = join(root, 'node_modules', `node-${process.platform}-${process.arch}/bin/node`)
  if (existsSync(packaged)) return packaged
  if (major(process.versions.node) >= 24) {
    console.log(`… no packaged Node for this machine: using Node ${process.versions.node}`)
    return process.execPath
  }
  throw noProjectNode(process.platform, process.arch)
}

function runChild(node, program) {
  // The IPC channel closes when this process is killed, which the child notices. Otherwise the
  // child decides when everything has stopped, and this process waits for it.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio })
  const forward = (signal) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}

const major = (version) => Number(version.split('.')[0])
