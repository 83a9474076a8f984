// Plain JavaScript for Node 20: this runs before any package is installed.
import { execFile } from 'node:child_process'
import { connect } from 'node:net'

const CONNECT_TIMEOUT_MS = 5000

/**
 * npm retries every package several times before it gives up, which takes minutes; one connection
 * attempt is faster. It proves nothing behind a proxy, where npm itself has to try.
 *
 * @param {{ command: string, args: string[] }} npm
 * @param {{ cwd: string, env: Record<string, string | undefined> }} place
 */
export async function isRegistryReachable(npm, place) {
  const proxied = Object.keys(place.env).some((name) => /^(npm_config_)?https?_proxy$/i.test(name))
  if (proxied) return true
  const address = await registryAddress(npm, place)
  return address === null || (await accepts(address))
}

function registryAddress({ command, args }, place) {
  return new Promise((resolve) => {
    const parameters = [...args, 'config', 'get', 'registry', '--loglevel=silent']
    execFile(command, parameters, place, (error, stdout) => {
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
    const socket = connect({ ...address, timeout: CONNECT_TIMEOUT_MS })
    const finish = (isReachable) => {
      socket.destroy()
      resolve(isReachable)
    }
    socket.once('connect', () => finish(true))
    socket.once('timeout', () => finish(false))
    socket.once('error', () => finish(false))
  })
}
