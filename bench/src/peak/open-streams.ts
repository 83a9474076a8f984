import { Agent, type IncomingMessage, request } from 'node:http'
import { measureWork } from '../harness/measure-work.ts'
import type { SigningDevice } from '../staff/signing-device.ts'
import { BASE } from '../staff/staff-client.ts'

const PATH = '/sse/stream'
const OPENED_AT_ONCE = 16

export interface StreamCounts {
  readonly open: number
  /** Ended by the service, or lost. */
  readonly ended: number
  readonly events: number
}

/** The event streams of devices; what they receive is counted. */
export class OpenStreams {
  readonly #agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })
  #open = 0
  #ended = 0
  #events = 0

  async openAll(url: string, devices: readonly SigningDevice[]): Promise<void> {
    await measureWork({
      count: devices.length,
      inFlight: OPENED_AT_ONCE,
      run: async (index) => {
        const device = devices[index]
        if (device !== undefined) await this.#openOne(url, device)
      },
    })
  }

  counts(): StreamCounts {
    return { open: this.#open, ended: this.#ended, events: this.#events }
  }

  async #openOne(url: string, device: SigningDevice): Promise<void> {
    const first = await this.#connect(url, device)
    const response = first.statusCode === 401 ? await this.#connect(url, device) : first
    if (response.statusCode !== 200) throw new Error(`stream: ${String(response.statusCode)}`)
    this.#open += 1
    response.on('data', (text: Buffer) => {
      this.#events += countEvents(text)
    })
    response.on('error', () => undefined)
    response.once('close', () => {
      this.#open -= 1
      this.#ended += 1
    })
  }

  #connect(url: string, device: SigningDevice): Promise<IncomingMessage> {
    const headers = { ...device.headers('GET', PATH), accept: 'text/event-stream' }
    return new Promise((resolve, reject) => {
      const sent = request(`${url}${BASE}${PATH}`, { headers, agent: this.#agent })
      sent.once('error', reject)
      sent.once('response', (response) => {
        device.keepNonce(response.headers['dpop-nonce'])
        if (response.statusCode !== 200) response.resume()
        resolve(response)
      })
      sent.end()
    })
  }
}

const ID_LINE = Buffer.from('\nid:')

/** Events of the log have an id; heartbeats and control events have none. */
function countEvents(text: Buffer): number {
  let count = 0
  for (let at = text.indexOf(ID_LINE); at !== -1; at = text.indexOf(ID_LINE, at + 1)) count += 1
  return count
}
