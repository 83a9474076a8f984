import type { Dispatcher } from 'undici'
import { UpstreamFailure } from './upstream-failure.ts'

/** Larger than any page we compose; beyond it an answer is a fault, not a document. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024

export async function readAnswer(
  upstream: string,
  response: Dispatcher.ResponseData,
): Promise<unknown> {
  if (response.statusCode === 204) {
    await response.body.dump()
    return undefined
  }
  const bytes = await readBounded(upstream, response)
  if (!isJson(response.headers['content-type'])) throw contractBroken(upstream, 'content type')
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw contractBroken(upstream, error)
  }
}

async function readBounded(upstream: string, response: Dispatcher.ResponseData): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > ANSWER_BYTES_MAX) {
      response.body.destroy()
      throw contractBroken(upstream, 'answer too large')
    }
    chunks.push(chunk)
  }
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size)
}

function isJson(contentType: string | string[] | undefined): boolean {
  return typeof contentType === 'string' && /^application\/([\w.-]+\+)?json\b/.test(contentType)
}

function contractBroken(upstream: string, cause: unknown): UpstreamFailure {
  return new UpstreamFailure(upstream, 'contract', cause)
}
