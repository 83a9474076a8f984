import type { ProblemDocument } from '@melmastoon/domain'
import { ApiProblem } from './api-problem.ts'

/** Turns an error response into an ApiProblem; without problem+json only the status is known. */
export function readProblem(
  response: Response,
  text: string,
  idempotencyKey: string | null,
): ApiProblem {
  const { status, headers } = response
  const isProblem = headers.get('content-type')?.includes('application/problem+json') ?? false
  const document = isProblem ? parseDocument(text) : {}
  const retryAfter = document.retryAfter ?? secondsOf(headers.get('retry-after'))
  const requestId = document.requestId ?? headers.get('x-request-id')
  return new ApiProblem(
    { ...document, ...(retryAfter !== null && { retryAfter }), ...(requestId && { requestId }) },
    { status, idempotencyKey },
  )
}

function parseDocument(text: string): Partial<ProblemDocument> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : null
}
