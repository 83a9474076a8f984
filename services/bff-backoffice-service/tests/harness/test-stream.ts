import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '@melmastoon/testkit'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { BASE, type TestDevice } from './test-device.ts'

const PATH = '/sse/stream'

interface Target {
  readonly url: string
}

export interface StreamOptions {
  readonly lastEventId?: string | undefined
  /** False: the response is not read. */
  readonly reads?: boolean
}

/** A stream as an independent parser reads it. */
export class TestStream implements Disposable {
  readonly events: EventSourceMessage[] = []
  readonly response: IncomingMessage
  comments = 0
  retryMs: number | undefined
  /** True after the response has ended or was cut off. */
  isClosed = false
  lastEventId: string | undefined

  private constructor(response: IncomingMessage, lastEventId: string | undefined) {
    this.response = response
    this.lastEventId = lastEventId
    const parser = createParser({
      onEvent: (event) => {
        this.events.push(event)
        this.lastEventId = event.id ?? this.lastEventId
      },
      onComment: () => void (this.comments += 1),
      onRetry: (retryMs) => void (this.retryMs = retryMs),
    })
    response.setEncoding('utf8')
    response.on('close', () => void (this.isClosed = true))
    response.on('error', () => void (this.isClosed = true))
    response.on('data', (text: string) => parser.feed(text))
  }

  static async open(target: Target, device: TestDevice, options: StreamOptions = {}) {
    return await TestStream.read(await connect(target, device, options.lastEventId), options)
  }

  /** Disconnects after this time, whatever has arrived by then. */
  static async connectAndLeave({ url }: Target, device: TestDevice, afterMs: number) {
    const headers = await headersOf(device, undefined)
    const sent = request(new URL(BASE + PATH, url), { agent: false, headers })
    sent.on('error', () => undefined)
    sent.end()
    await delay(afterMs)
    sent.destroy()
  }

  static async read(response: IncomingMessage, options: StreamOptions = {}) {
    const stream = new TestStream(response, options.lastEventId)
    if (options.reads === false) response.pause()
    else await eventually(() => stream.one('hello'))
    return stream
  }

  named(name: string): EventSourceMessage[] {
    return this.events.filter(({ event }) => event === name)
  }

  /** Names and ids of the events of the log, in order. */
  logged(): string[] {
    return this.events
      .filter(({ id, event }) => id !== undefined && event !== 'hello')
      .map(({ event, data }) => `${event} ${String(dataOf(data)['n'])}`)
  }

  /** Throws while there is none, for `eventually`. */
  one(name: string): Record<string, unknown> {
    const [event] = this.named(name)
    if (event === undefined) throw new Error(`no event ${name}`)
    return dataOf(event.data)
  }

  disconnect(): void {
    this.response.destroy()
  }

  [Symbol.dispose](): void {
    this.disconnect()
  }
}

/** As a device does: once more when the nonce was missing or old. */
async function connect(
  { url }: Target,
  device: TestDevice,
  lastEventId: string | undefined,
): Promise<IncomingMessage> {
  for (let attempt = 0; ; attempt += 1) {
    const headers = await headersOf(device, lastEventId)
    const sent = request(new URL(BASE + PATH, url), { agent: false, headers })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const nonce = response.headers['dpop-nonce']
    if (typeof nonce === 'string') device.nonce = nonce
    if (response.statusCode === 200) return response
    response.resume()
    if (attempt > 0 || response.statusCode !== 401) {
      throw new Error(`the stream was rejected with ${response.statusCode}`)
    }
  }
}

async function headersOf(device: TestDevice, lastEventId: string | undefined) {
  return {
    authorization: `DPoP ${device.token}`,
    dpop: await device.proof('GET', PATH),
    'x-device-id': device.deviceId,
    accept: 'text/event-stream',
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  }
}

export function dataOf(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>
}
