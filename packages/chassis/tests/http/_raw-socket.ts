import { connect } from 'node:net'

export interface RawResponse {
  status: number
  headers: Record<string, string>
  body: string
  /** Everything received, to see whether a second response followed. */
  text: string
}

export interface RawOptions {
  /** Bytes to send after the first piece, with a pause between. */
  later?: { pieces: Iterable<string>; everyMs: number }
  timeoutMs?: number
}

/** Sends raw bytes and reads until the server closes or sends nothing more. */
export function sendRaw(
  port: number,
  text: string,
  options: RawOptions = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    let received = ''
    const finish = () => {
      clearInterval(drip)
      clearTimeout(limit)
      socket.destroy()
      if (received === '') reject(new Error('no response'))
      else resolve(parse(received))
    }
    const pieces = options.later?.pieces[Symbol.iterator]()
    const drip = setInterval(() => {
      const next = pieces?.next()
      if (next && !next.done && socket.writable) socket.write(next.value)
    }, options.later?.everyMs ?? 1000)
    const limit = setTimeout(finish, options.timeoutMs ?? 5000)
    socket.on('data', (piece) => {
      received += piece.toString('latin1')
      if (isComplete(received) && !options.later) setTimeout(finish, 50)
    })
    socket.on('error', () => {})
    socket.on('close', finish)
  })
}

export function request(method: string, path: string, headers: Record<string, string>, body = '') {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([k, v]) => `${k}: ${v}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

export function postJson(path: string, body: string, headers: Record<string, string> = {}) {
  const length = String(Buffer.byteLength(body))
  const all = { 'content-type': 'application/json', 'content-length': length, ...headers }
  return request('POST', path, all, body)
}

function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
  return text.length >= end + 4 + length
}

function parse(text: string): RawResponse {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(first.split(' ')[1]), headers, body: text.slice(end + 4), text }
}

export interface RawConversation {
  /** Status and body of every response on the connection, in order. */
  readonly responses: readonly { readonly status: number; readonly body: string }[]
  /** Whether the server closed the connection. */
  readonly closed: boolean
}

/** Sends the pieces one after the other and reads until the server closes or the time is over. */
export function converse(
  port: number,
  pieces: readonly string[],
  { timeoutMs = 4000, pauseMs = 50 } = {},
): Promise<RawConversation> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => sendNext(0))
    const sendNext = (index: number) => {
      const piece = pieces[index]
      if (piece === undefined || !socket.writable) return
      socket.write(piece, 'latin1')
      setTimeout(() => sendNext(index + 1), pauseMs)
    }
    const finish = (closed: boolean) => {
      clearTimeout(limit)
      socket.destroy()
      resolve({ responses: splitResponses(received), closed })
    }
    const limit = setTimeout(() => finish(false), timeoutMs)
    socket.on('data', (data) => {
      received += data.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => finish(true))
  })
}

function splitResponses(text: string): RawConversation['responses'] {
  const starts = [...text.matchAll(/HTTP\/1\.1 \d{3} /g)].map(({ index }) => index)
  return starts.map((start, at) => {
    const { status, body } = parse(text.slice(start, starts[at + 1]))
    return { status, body }
  })
}
