import createOpenApiClient, {
  type FetchResponse,
  type HeadersOptions,
  type MaybeOptionalInit,
} from 'openapi-fetch'
import { newIdempotencyKey } from './idempotency-key.ts'
import { sendRequest } from './send-request.ts'

export interface ClientOptions {
  readonly baseUrl: string
  readonly fetch?: (request: Request) => Promise<Response>
  readonly headers?: HeadersOptions
  /** For a call with all its attempts; a call's own `signal` can end it sooner. */
  readonly timeoutMs?: number
  /** Further attempts after a temporary failure, while the time allows. */
  readonly retries?: number
  readonly firstPauseMs?: number
  readonly random?: () => number
  readonly newKey?: () => string
}

const TIMEOUT_MS = 10_000
const RETRIES = 2
const FIRST_PAUSE_MS = 100

/**
 * A client for the `paths` of a service's `contracts/openapi.d.ts`; runs in browsers and in Node.
 */
export function createClient<Paths extends object>(options: ClientOptions): Client<Paths> {
  const send = {
    fetch: options.fetch ?? ((request: Request) => fetch(request)),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    retries: options.retries ?? RETRIES,
    firstPauseMs: options.firstPauseMs ?? FIRST_PAUSE_MS,
    random: options.random ?? randomShare,
    newKey: options.newKey ?? newIdempotencyKey,
  }
  const client = createOpenApiClient<Paths>({
    baseUrl: options.baseUrl,
    fetch: (request) => sendRequest(request, send),
    ...(options.headers !== undefined && { headers: options.headers }),
  })
  // Anything but a success was thrown while sending, so only the success shape remains.
  return client as unknown as Client<Paths>
}

/** One method per HTTP method; each knows the paths with their parameters and responses. */
export interface Client<Paths extends object> {
  GET: Call<WithGeneratedKey<Paths>, 'get'>
  PUT: Call<WithGeneratedKey<Paths>, 'put'>
  POST: Call<WithGeneratedKey<Paths>, 'post'>
  PATCH: Call<WithGeneratedKey<Paths>, 'patch'>
  DELETE: Call<WithGeneratedKey<Paths>, 'delete'>
}

export interface ClientResponse<Data> {
  readonly data: Data
  readonly response: Response
}

/** The service requires an idempotency key; the client generates one, so the caller need not. */
type WithGeneratedKey<Paths> = {
  [Path in keyof Paths]: { [Method in keyof Paths[Path]]: WithKeyOptional<Paths[Path][Method]> }
}

type WithKeyOptional<Operation> = Operation extends {
  parameters: { header: { 'idempotency-key': string } }
}
  ? Omit<Operation, 'parameters'> & {
      parameters: Omit<Operation['parameters'], 'header'> & {
        header?: Partial<Operation['parameters']['header']>
      }
    }
  : Operation

type Call<Paths extends object, Method extends string> = <
  Path extends PathWith<Paths, Method>,
  Init extends MaybeOptionalInit<Paths[Path], Method & keyof Paths[Path]>,
>(
  path: Path,
  ...init: InitParam<Init>
) => Promise<ClientResponse<DataOf<Paths[Path][Method & keyof Paths[Path]], Init>>>

type PathWith<Paths extends object, Method extends string> = {
  [Path in keyof Paths]: Paths[Path] extends { [M in Method]: unknown } ? Path : never
}[keyof Paths]

type InitParam<Init> = undefined extends Init ? [init?: Init] : [init: Init]

type DataOf<Operation, Init> = Extract<
  FetchResponse<Operation & Record<string | number, unknown>, Init, `${string}/${string}`>,
  { data: unknown }
>['data']

function randomShare(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return value / 2 ** 32
}
