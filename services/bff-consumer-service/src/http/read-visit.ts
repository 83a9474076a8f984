import type { FastifyRequest } from 'fastify'
import type { Visit } from '../sessions/visit.ts'

type Headers = FastifyRequest['headers']

export function readVisit(request: Pick<FastifyRequest, 'headers' | 'ip' | 'ips'>): Visit {
  const { headers } = request
  return {
    address: request.ip,
    userAgent: headers['user-agent'] ?? '',
    acceptLanguage: headers['accept-language'],
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

/** Believed when a proxy in front of us is: that one has to overwrite what callers send. */
function readCountry(request: Pick<FastifyRequest, 'headers' | 'ips'>): string | undefined {
  const country = request.headers['x-client-region']
  if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) return undefined
  return request.ips === undefined ? undefined : country
}

function single(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
