import type { ServerResponse } from 'node:http'
import { memoizeDecoded } from '../../cache/index.ts'
import { cachedResponse } from '../send-cached.ts'
import { addPrivateHeaders } from '../send-private.ts'
import type { FastRequest } from './fast-request.ts'
import type { AssembledResponse, ReadyResponse } from './fast-route.ts'
import { sendBytes } from './send-bytes.ts'

export function sendReady(
  response: ServerResponse,
  request: FastRequest,
  ready: ReadyResponse,
): void {
  if ('own' in ready) {
    sendAssembled(response, request, ready)
    return
  }
  const { status, head, bytes } = cachedResponse(request, ready.bytes, ready.options)
  response.writeHead(status, head)
  sendBytes(response, bytes)
}

/** One text, which Node appends to the head: neither part is copied into a buffer first. */
function sendAssembled(
  response: ServerResponse,
  { head }: FastRequest,
  { shared, own }: AssembledResponse,
): void {
  const text = `${openingOf(shared)},${asLatin1(own.slice(1))}`
  addPrivateHeaders(head, text.length)
  response.writeHead(200, head)
  response.end(text, 'latin1')
}

/** The bytes of objects as Latin-1, without the brace that closes them; made on first use. */
const openingOf = memoizeDecoded((shared) => shared.toString('latin1', 0, shared.length - 1), 1)

/** The bytes of a text, one character each. */
function asLatin1(text: string): string {
  const bytes = Buffer.byteLength(text)
  return bytes === text.length ? text : Buffer.from(text).toString('latin1')
}
