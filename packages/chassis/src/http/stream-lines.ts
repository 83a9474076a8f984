import { constants, createGzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { headSoFar } from './write-response.ts'

export interface LineStream {
  /** Sent at once. Ignored after the client has disconnected. */
  write(line: string): void
  end(): void
}

const NEWLINE = '\n'

/**
 * A response of which every line is sent as soon as it is written. `no-transform` and
 * `X-Accel-Buffering` ask proxies not to collect them; gzip is flushed after each line, because it
 * would otherwise retain up to 32 KiB.
 */
export function streamLines(reply: FastifyReply, contentType: string): LineStream {
  const isGzip = reply.request.state.encodings.includes('gzip')
  const head = headSoFar(reply)
  head.push('content-type', contentType)
  head.push('cache-control', 'private, no-store, no-transform')
  head.push('x-accel-buffering', 'no')
  if (isGzip) head.push('content-encoding', 'gzip', 'vary', 'Accept-Encoding')
  reply.raw.writeHead(reply.statusCode, head)
  reply.hijack()
  return isGzip ? compressed(reply) : plain(reply)
}

function plain({ raw }: FastifyReply): LineStream {
  return {
    write(line) {
      if (!raw.destroyed) raw.write(line + NEWLINE)
    },
    end: () => raw.end(),
  }
}

function compressed({ raw }: FastifyReply): LineStream {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  gzip.pipe(raw)
  // A client that disconnects is no error of the response.
  raw.on('close', () => gzip.destroy())
  gzip.on('error', () => raw.destroy())
  return {
    write(line) {
      if (gzip.destroyed) return
      gzip.write(line + NEWLINE)
      gzip.flush(constants.Z_SYNC_FLUSH)
    },
    end: () => gzip.end(),
  }
}
