import createOpenApiClient, {
  type FetchResponse,
  type HeadersOptions,
  type MaybeOptionalInit,
} from 'openapi-fetch'
import { type ConnectionOptions, sendOptions } from './send-options.ts'
import { sendRequest } from './send-request.ts'

export interface ClientOptions extends ConnectionOptions {
  /** Of the service, without a path: the paths of the document have the prefix of the API. */
  readonly baseUrl: string
  /** Of every request; a call can add and replace headers. */
  readonly headers?: HeadersOptions
}

/**
 * A client for the `paths` of a service; runs in browsers and in Node. A call returns the data of a
 * success and throws `ApiProblem` or `ApiUnreachable` for everything else.
 *
 * @example
 * const api = createClient<paths>({ baseUrl: 'https://api.example.com' })
 * const { data } = await api.GET('/bff/consumer/v1/locales')
 */
export function createClient<Paths extends object>(options: ClientOptions): Client<Paths> {
  const send = sendOptions(options)
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
