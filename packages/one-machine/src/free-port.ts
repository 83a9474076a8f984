import { createServer } from 'node:net'
import { MachineError } from './machine-error.ts'

/**
 * Another process may take the port before it is used: callers retry when the server reports that.
 */
export function freePort(): Promise<number> {
  return listenOnce(0)
}

export function isPortFree(port: number): Promise<boolean> {
  return listenOnce(port).then(
    () => true,
    () => false,
  )
}

export async function assertPortFree(port: number, server: string): Promise<void> {
  try {
    await listenOnce(port)
  } catch (cause) {
    const sentence = `Port ${port} for ${server} is taken by another program: stop that program or choose another port.`
    throw new MachineError('PORT_BUSY', sentence, { cause })
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address()
      const taken = address !== null && typeof address === 'object' ? address.port : port
      server.close(() => resolve(taken))
    })
  })
}
