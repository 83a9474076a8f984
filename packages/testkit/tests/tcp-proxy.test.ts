import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { eventually, startTcpProxy } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const server = createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => undefined)
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString()
    socket.write(bytes)
  })
  socket.on('end', () => socket.end())
})
let received = ''
let target = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  target = `tcp://user@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/path`
})

afterAll(() => {
  server.close()
})

interface Client {
  readonly socket: Socket
  readonly text: () => string
  readonly failure: () => string | undefined
}

async function open(port: number): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1' })
  let text = ''
  let failure: string | undefined
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString()
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    failure = error.code
  })
  await new Promise<void>((resolve) => {
    socket.once('connect', () => resolve())
    socket.once('close', () => resolve())
  })
  return { socket, text: () => text, failure: () => failure }
}

async function echo(client: Client, words: string): Promise<void> {
  const before = client.text()
  client.socket.write(words)
  await eventually(() => expect(client.text()).toBe(before + words))
}

describe('startTcpProxy', () => {
  it('forwards bytes and the end of a stream, and preserves the rest of the URL', async () => {
    await using proxy = await startTcpProxy(target)
    expect(proxy.url).toBe(`tcp://user@127.0.0.1:${proxy.port}/path`)
    const client = await open(proxy.port)
    await echo(client, 'salaam')
    client.socket.end('bye')
    await once(client.socket, 'close')
    expect(client.text()).toBe('salaambye')
    expect(client.failure()).toBeUndefined()
    await eventually(() => expect(proxy.openConnections).toBe(0))
  })

  it('delays bytes in order, including those sent after the delay was removed', async () => {
    await using proxy = await startTcpProxy(target)
    const client = await open(proxy.port)
    await echo(client, 'a')
    await proxy.setMode({ kind: 'latency', delayMs: 60 })
    const startMs = performance.now()
    client.socket.write('b')
    await eventually(() => expect(received.endsWith('b')).toBe(true))
    await proxy.setMode({ kind: 'pass' })
    client.socket.write('c')
    await eventually(() => expect(client.text()).toBe('abc'))
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(55)
  })

  it('limits the bandwidth without loss', async () => {
    await using proxy = await startTcpProxy(target)
    const client = await open(proxy.port)
    await proxy.setMode({ kind: 'bandwidth', bytesPerSecond: 100_000 })
    const startMs = performance.now()
    client.socket.write('x'.repeat(20_000))
    await eventually(() => expect(client.text()).toHaveLength(20_000))
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(190)
  })

  it('refuses and closes connections, then accepts them again on the same port', async () => {
    await using proxy = await startTcpProxy(target)
    const before = await open(proxy.port)
    await echo(before, 'x')
    await proxy.setMode({ kind: 'refuse' })
    await eventually(() => expect(before.failure()).toBe('ECONNRESET'))
    expect((await open(proxy.port)).failure()).toBe('ECONNREFUSED')
    await proxy.setMode({ kind: 'pass' })
    await echo(await open(proxy.port), 'again')
  })

  it('resets open and new connections', async () => {
    await using proxy = await startTcpProxy(target)
    const before = await open(proxy.port)
    await echo(before, 'x')
    await proxy.setMode({ kind: 'reset' })
    await eventually(() => expect(before.failure()).toBe('ECONNRESET'))
    const after = await open(proxy.port)
    await eventually(() => expect(after.failure()).toBe('ECONNRESET'))
    expect(proxy.acceptedConnections).toBe(2)
  })

  it('drops responses while requests take effect, and never resumes an incomplete stream', async () => {
    await using proxy = await startTcpProxy(target)
    const client = await open(proxy.port)
    await echo(client, 'x')
    await proxy.setMode({ kind: 'blackhole', loses: 'responses' })
    client.socket.write('effect')
    await eventually(() => expect(received.endsWith('effect')).toBe(true))
    await proxy.setMode({ kind: 'blackhole' })
    client.socket.write('nothing')
    const late = await open(proxy.port)
    late.socket.write('nothing')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(received.endsWith('effect')).toBe(true)
    expect([client.text(), client.failure(), late.text()]).toEqual(['x', undefined, ''])
    await proxy.setMode({ kind: 'pass' })
    await eventually(() => expect(client.failure()).toBe('ECONNRESET'))
    await echo(await open(proxy.port), 'fresh')
  })
})
