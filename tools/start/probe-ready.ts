import { get } from 'node:http'

const PATIENCE_MS = 1000

/** Asks /health/ready once: the status, or why there was none. */
export function probeReady(port: number): Promise<{ ready: boolean; answer: string }> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/health/ready', agent: false as const }
    const request = get({ ...options, timeout: PATIENCE_MS }, (response) => {
      response.resume()
      const status = response.statusCode ?? 0
      resolve({ ready: status === 200, answer: `status ${status}` })
    })
    request.on('timeout', () => request.destroy(new Error('no answer within a second')))
    request.on('error', (error) => resolve({ ready: false, answer: error.message }))
  })
}
