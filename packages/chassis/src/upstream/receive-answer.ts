import type { Dispatcher, Pool } from 'undici'

export interface RawAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly bytes: Buffer
}

export interface ReceiveOptions {
  readonly signal: AbortSignal
  /** More than that is refused with what `tooLarge` makes. */
  readonly bytesMax: number
  readonly tooLarge: () => Error
}

type Request = Dispatcher.DispatchOptions

/**
 * One request and its whole answer, past undici's streams: an answer is read to its end anyway, and
 * a stream and a listener of its own for each cost as much as the rest of the call.
 */
export function receiveAnswer(
  pool: Pool,
  request: Request,
  options: ReceiveOptions,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    pool.dispatch(request, new Receiver(options, { resolve, reject }))
  })
}

interface Settle {
  readonly resolve: (answer: RawAnswer) => void
  readonly reject: (error: unknown) => void
}

class Receiver implements Dispatcher.DispatchHandler {
  readonly #options: ReceiveOptions
  readonly #settle: Settle
  readonly #chunks: Buffer[] = []
  readonly #onAbort = () => this.#stop(asError(this.#options.signal.reason))
  #controller: Dispatcher.DispatchController | null = null
  #size = 0
  #status = 0
  #headers: RawAnswer['headers'] = {}

  constructor(options: ReceiveOptions, settle: Settle) {
    this.#options = options
    this.#settle = settle
    options.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Late, when all connections are busy: the time may be over by then. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    const { signal } = this.#options
    if (signal.aborted) controller.abort(asError(signal.reason))
  }

  onResponseStart(...[, status, headers]: StartArguments): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > this.#options.bytesMax) this.#stop(this.#options.tooLarge())
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#finish()
    const [only] = this.#chunks
    const isOne = this.#chunks.length === 1 && only !== undefined
    const bytes = isOne ? only : Buffer.concat(this.#chunks, this.#size)
    this.#settle.resolve({ status: this.#status, headers: this.#headers, bytes })
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#finish()
    this.#settle.reject(error)
  }

  #stop(error: Error): void {
    this.#finish()
    this.#settle.reject(error)
    this.#controller?.abort(error)
  }

  #finish(): void {
    this.#options.signal.removeEventListener('abort', this.#onAbort)
  }
}

type StartArguments = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason })
}
