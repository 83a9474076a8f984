import { Agent, type IncomingMessage, request } from 'node:http'
import { measureWork } from '../harness/measure-work.ts'
import type { SigningDevice } from './signing-device.ts'
import { BASE } from './staff-client.ts'

const PATH = '/sse/stream'
const OPENED_AT_ONCE = 16
const CHALLENGED = 401
const SERVER_ERROR = 500
const ATTEMPTS_MAX = 5

export interface StreamCounts {
  readonly open: number
  /** Ended by the service, or lost. */
  readonly ended: number
  readonly events: number
}

/** Event streams whose events are counted. */
export class OpenStreams {
  readonly #agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })
  #open = 0
  #ended = 0
  #events = 0

  /** One for each device, with its credentials. */
  async openStaff(
    url: string,
    devices: readonly SigningDevice[],
    onEvent?: (device: SigningDevice, channel: string) => void,
  ): Promise<void> {
    await openEach(devices, async (device) => {
      let response = await this.#connectStaff(url, device)
      for (let attempt = 1; isTriedAgain(response) && attempt < ATTEMPTS_MAX; attempt += 1) {
        response = await this.#connectStaff(url, device)
      }
      this.#read(response, onEvent && ((channel) => onEvent(device, channel)))
    })
  }

  /** From a server that needs no credentials. */
  async openPlain(url: string, count: number): Promise<void> {
    await openEach(Array.from({ length: count }), async () => {
      this.#read(await this.#connect(url, { accept: 'text/event-stream' }))
    })
  }

  counts(): StreamCounts {
    return { open: this.#open, ended: this.#ended, events: this.#events }
  }

  #read(response: IncomingMessage, onEvent?: (channel: string) => void): void {
    if (response.statusCode !== 200) throw new Error(`stream: ${String(response.statusCode)}`)
    this.#open += 1
    response.on('data', (text: Buffer) => {
      const count = countEvents(text)
      this.#events += count
      if (count > 0 && onEvent !== undefined) for (const name of eventNames(text)) onEvent(name)
    })
    response.on('error', () => undefined)
    response.once('close', () => {
      this.#open -= 1
      this.#ended += 1
    })
  }

  async #connectStaff(url: string, device: SigningDevice): Promise<IncomingMessage> {
    const headers = { ...device.headers('GET', PATH), accept: 'text/event-stream' }
    const response = await this.#connect(`${url}${BASE}${PATH}`, headers)
    device.keepNonce(response.headers['dpop-nonce'])
    if (response.statusCode !== 200) response.resume()
    return response
  }

  #connect(url: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { headers, agent: this.#agent })
      sent.once('error', reject)
      sent.once('response', resolve)
      sent.end()
    })
  }
}

/** For its nonce, or because it timed out on a busy machine. */
function isTriedAgain({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode === CHALLENGED || statusCode >= SERVER_ERROR
}

async function openEach<T>(items: readonly T[], open: (item: T) => Promise<void>): Promise<void> {
  const run = (index: number) => open(items[index] as T)
  await measureWork({ count: items.length, inFlight: OPENED_AT_ONCE, run })
}

const ID_LINE = Buffer.from('\nid:')

const NAME_LINE = /^event: (\w+)$/gm

/** A name that is cut off between two pieces is not found: the event is counted all the same. */
function eventNames(text: Buffer): string[] {
  return [...text.toString('latin1').matchAll(NAME_LINE)].map(([, name = '']) => name)
}

/** Events of the log have an id; heartbeats and control events have none. */
function countEvents(text: Buffer): number {
  let count = 0
  for (let at = text.indexOf(ID_LINE); at !== -1; at = text.indexOf(ID_LINE, at + 1)) count += 1
  return count
}
