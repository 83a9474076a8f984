import { writeSync } from 'node:fs'
import { Socket } from 'node:net'

/**
 * Loaded into the process before the service: writes the destination of every socket to stderr.
 * Every library opens its sockets through this method.
 */
type Connect = (this: Socket, ...args: unknown[]) => Socket

const connect = Reflect.get(Socket.prototype, 'connect') as Connect

function recorded(this: Socket, ...args: unknown[]): Socket {
  writeSync(2, `socket to ${destinationOf(args)}\n`)
  return connect.apply(this, args)
}

Reflect.set(Socket.prototype, 'connect', recorded)

function destinationOf([first]: unknown[]): string {
  const options: unknown = Array.isArray(first) ? first[0] : first
  if (typeof options !== 'object' || options === null) return String(options)
  const { port, path } = options as { port?: unknown; path?: unknown }
  return String(port ?? path)
}
