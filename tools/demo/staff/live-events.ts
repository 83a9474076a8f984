import { readEventStream, type StreamMessage } from '@melmastoon/client/source'
import { DemoFailure } from '../shared/demo-failure.ts'
import type { StaffDemo } from './demo.ts'
import { type StaffMember, V1 } from './staff-member.ts'

const PATH = `${V1}/sse/stream`
const ARRIVES_WITHIN_MS = 10_000

/** The events of a device, kept as they arrive. */
export class LiveEvents implements AsyncDisposable {
  readonly #abort = new AbortController()
  readonly #received: StreamMessage[] = []
  #changed = Promise.withResolvers<void>()
  #reading: Promise<void> = Promise.resolve()

  static async open(demo: StaffDemo, staff: StaffMember): Promise<LiveEvents> {
    const events = new LiveEvents()
    events.#reading = events.#read(demo, staff)
    await events.next(({ event }) => event === 'hello', 'hello')
    return events
  }

  /** The first event that matches, also one that has already arrived. */
  async next(matches: (event: StreamMessage) => boolean, wanted: string): Promise<StreamMessage> {
    const deadline = AbortSignal.timeout(ARRIVES_WITHIN_MS)
    const late = new Promise<void>((resolve) =>
      deadline.addEventListener('abort', () => resolve(), { once: true }),
    )
    for (;;) {
      const found = this.#received.find(matches)
      if (found !== undefined) return found
      if (deadline.aborted) throw new DemoFailure(`no event ${wanted} arrived`)
      await Promise.race([this.#changed.promise, late])
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort()
    await this.#reading
  }

  /** Every attempt to connect has a proof of its own. */
  async #read({ backofficeUrl, publicUrl }: StaffDemo, { device }: StaffMember): Promise<void> {
    const { accessToken, deviceId } = device.tokens
    const htu = publicUrl + PATH
    const events = readEventStream({
      url: backofficeUrl + PATH,
      signal: this.#abort.signal,
      headers: async ({ nonce }) => ({
        authorization: `DPoP ${accessToken}`,
        dpop: await device.proof({ method: 'GET', htu, accessToken, nonce }),
        'x-device-id': deviceId,
      }),
    })
    for await (const event of events) {
      this.#received.push(event)
      this.#changed.resolve()
      this.#changed = Promise.withResolvers()
    }
  }
}
