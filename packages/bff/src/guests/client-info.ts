/** What a request tells about its client, as plain values. Hashed before any of it is stored. */
export interface ClientInfo {
  readonly address: string
  readonly userAgent: string
  readonly acceptLanguage: string | undefined
  /** `X-Currency`. */
  readonly currency: string | undefined
  /** ISO 3166, as the load balancer reports it. */
  readonly country: string | undefined
  readonly campaign: {
    readonly source: string | undefined
    readonly medium: string | undefined
    readonly campaign: string | undefined
  }
  /** Do Not Track or Global Privacy Control (D13). */
  readonly declinesTelemetry: boolean
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The parts of a Fastify request that are read. */
export interface ClientRequest {
  readonly headers: Headers
  readonly ip: string
  /** Only defined where a proxy is trusted. */
  readonly ips?: readonly string[] | undefined
}

export function readClientInfo(request: ClientRequest): ClientInfo {
  const { headers } = request
  return {
    address: request.ip,
    userAgent: text(headers, 'user-agent') ?? '',
    acceptLanguage: text(headers, 'accept-language'),
    currency: single(headers, 'x-currency'),
    country: readCountry(request),
    campaign: {
      source: single(headers, 'x-campaign-source'),
      medium: single(headers, 'x-campaign-medium'),
      campaign: single(headers, 'x-campaign-name'),
    },
    declinesTelemetry: headers['dnt'] === '1' || headers['sec-gpc'] === '1',
  }
}

/** Believed only from a trusted proxy, which overwrites what clients send. */
function readCountry({ headers, ips }: ClientRequest): string | undefined {
  const country = headers['x-client-region']
  if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) return undefined
  return ips === undefined ? undefined : country
}

function text(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

function single(headers: Headers, name: string): string | undefined {
  return text(headers, name) || undefined
}
