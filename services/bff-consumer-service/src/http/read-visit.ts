import type { FastifyRequest } from 'fastify'
import type { Visit } from '../sessions/visit.ts'

type Headers = FastifyRequest['headers']

export function readVisit({ headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>): Visit {
  return {
    address: ip,
    userAgent: headers['user-agent'] ?? '',
    acceptLanguage: headers['accept-language'],
    currency: single(headers, 'x-currency'),
    campaign: {
      source: single(headers, 'x-campaign-source'),
      medium: single(headers, 'x-campaign-medium'),
      campaign: single(headers, 'x-campaign-name'),
    },
    declinesTelemetry: headers['dnt'] === '1' || headers['sec-gpc'] === '1',
  }
}

function single(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
