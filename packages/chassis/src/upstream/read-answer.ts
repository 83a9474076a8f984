import type { RawAnswer } from './receive-answer.ts'
import { UpstreamFailure } from './upstream-failure.ts'

export function readAnswer(upstream: string, { status, headers, bytes }: RawAnswer): unknown {
  if (status === 204) return undefined
  if (!isJson(headers['content-type'])) throw contractBroken(upstream, 'content type')
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw contractBroken(upstream, error)
  }
}

function isJson(contentType: string | string[] | undefined): boolean {
  return typeof contentType === 'string' && /^application\/([\w.-]+\+)?json\b/.test(contentType)
}

function contractBroken(upstream: string, cause: unknown): UpstreamFailure {
  return new UpstreamFailure(upstream, 'contract', cause)
}
