import type { Dispatcher, Pool } from 'undici'

export interface RawResponse {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly bytes: Buffer
}

export interface ReceiveOptions {
  readonly signal: AbortSignal
  /** A larger body is rejected with the error of `tooLarge`. */
  readonly bytesMax: number
  readonly tooLarge: () => Error
}

type Request = Dispatcher.DispatchOptions

/**
 * One request and its whole response without undici's streams: the body is read to its end anyway,
 * and a stream and a listener for each request cost as much as the rest of the call.
 */
export function receiveResponse(
  pool: Pool,
  request: Request,
  options: ReceiveOptions,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    pool.dispatch(request, new Receiver(options, { resolve, reject }))
  })
}

interface Settle {
  readonly resolve: (response: RawResponse) => void
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
  #headers: RawResponse['headers'] = {}

  constructor(options: ReceiveOptions, settle: Settle) {
    this.#options = options
    this.#settle = settle
    options.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Called late when all connections are busy: the signal may be aborted by then. */
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
