// Plain JavaScript for Node 20: this runs before any package is installed.
import { execFile } from 'node:child_process'
import { connect } from 'node:net'

const PATIENCE_MS = 5000

/**
 * npm tries every package several times before it gives up, which takes minutes: one connection
 * tells sooner. Behind a proxy it would tell nothing, so there npm itself must find out.
 *
 * @param {{ command: string, args: string[] }} npm
 * @param {{ cwd: string, env: Record<string, string | undefined> }} place
 */
export async function registryAnswers(npm, place) {
  const proxied = Object.keys(place.env).some((name) => /^(npm_config_)?https?_proxy$/i.test(name))
  if (proxied) return true
  const address = await registryAddress(npm, place)
  return address === null || (await accepts(address))
}

function registryAddress({ command, args }, place) {
  return new Promise((resolve) => {
    const words = [...args, 'config', 'get', 'registry', '--loglevel=silent']
    execFile(command, words, place, (error, stdout) => {
      try {
        const { hostname, port, protocol } = new URL(error ? '' : stdout.trim())
        resolve({ host: hostname, port: Number(port) || (protocol === 'http:' ? 80 : 443) })
      } catch {
        resolve(null)
      }
    })
  })
}

function accepts(address) {
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: PATIENCE_MS })
    const finish = (answer) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => finish(true))
    socket.once('timeout', () => finish(false))
    socket.once('error', () => finish(false))
  })
}
