import { DemoFailure } from '../guest/demo.ts'
import type { StaffMember } from './staff-member.ts'

interface LiveEvent {
  readonly name: string
  readonly data: Readonly<Record<string, unknown>>
}

const ARRIVES_WITHIN_MS = 10_000

/** The stream of a device, read as text (WHATWG HTML §9.2.6: an empty line ends an event). */
export class LiveEvents implements AsyncDisposable {
  readonly #abort = new AbortController()
  readonly #received: LiveEvent[] = []
  #changed = Promise.withResolvers<void>()
  #reading: Promise<void> = Promise.resolve()
  #hasEnded = false

  static async open({ device }: StaffMember): Promise<LiveEvents> {
    const events = new LiveEvents()
    const { signal } = events.#abort
    const response = await device.fetch('/sse/stream', {
      headers: { accept: 'text/event-stream' },
      signal,
    })
    if (!response.ok || response.body === null) {
      throw new DemoFailure(`the stream was rejected: ${response.status}`)
    }
    const texts = response.body.pipeThrough(new TextDecoderStream())
    events.#reading = events.#read(texts).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    await events.next(({ name }) => name === 'hello', 'hello')
    return events
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** The first event that matches, also one that has already arrived. */
  async next(matches: (event: LiveEvent) => boolean, wanted: string): Promise<LiveEvent> {
    const deadline = AbortSignal.timeout(ARRIVES_WITHIN_MS)
    const late = new Promise<void>((resolve) =>
      deadline.addEventListener('abort', () => resolve(), { once: true }),
    )
    for (;;) {
      const found = this.#received.find(matches)
      if (found !== undefined) return found
      if (deadline.aborted || this.#hasEnded) throw new DemoFailure(`no event ${wanted} arrived`)
      await Promise.race([this.#changed.promise, late])
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort()
    await this.#reading
  }

  async #read(texts: AsyncIterable<string>): Promise<void> {
    let rest = ''
    try {
      for await (const text of texts) {
        const parts = (rest + text).split('\n\n')
        rest = parts.pop() ?? ''
        this.#received.push(...parts.flatMap(parse))
        this.#wake()
      }
    } finally {
      this.#hasEnded = true
      this.#wake()
    }
  }

  #wake(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

function parse(text: string): LiveEvent[] {
  const valueOf = (field: string) => text.match(new RegExp(`^${field}: (.*)$`, 'm'))?.[1]
  const [name, data] = [valueOf('event'), valueOf('data')]
  if (name === undefined || data === undefined) return []
  return [{ name, data: JSON.parse(data) as LiveEvent['data'] }]
}
