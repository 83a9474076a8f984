import { get } from 'node:http'

const PATIENCE_MS = 1000

/** Requests /health/ready once; `status` is the HTTP status or the error. */
export function probeReady(port: number): Promise<{ ready: boolean; status: string }> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/health/ready', agent: false as const }
    const request = get({ ...options, timeout: PATIENCE_MS }, (response) => {
      response.resume()
      const code = response.statusCode ?? 0
      resolve({ ready: code === 200, status: `status ${code}` })
    })
    request.on('timeout', () => request.destroy(new Error('no response within a second')))
    request.on('error', (error) => resolve({ ready: false, status: error.message }))
  })
}
