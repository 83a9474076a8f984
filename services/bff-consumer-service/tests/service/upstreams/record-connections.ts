import { writeSync } from 'node:fs'
import { Socket } from 'node:net'

/**
 * Loaded into the process before the service: says on its error output whereto each socket wants
 * to connect. All of them pass here, whichever library opens them.
 */
type Connect = (this: Socket, ...args: unknown[]) => Socket

const connect = Reflect.get(Socket.prototype, 'connect') as Connect

function recorded(this: Socket, ...args: unknown[]): Socket {
  writeSync(2, `socket to ${goalOf(args)}\n`)
  return connect.apply(this, args)
}

Reflect.set(Socket.prototype, 'connect', recorded)

function goalOf([first]: unknown[]): string {
  const options: unknown = Array.isArray(first) ? first[0] : first
  if (typeof options !== 'object' || options === null) return String(options)
  const { port, path } = options as { port?: unknown; path?: unknown }
  return String(port ?? path)
}
