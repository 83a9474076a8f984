import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@melmastoon/one-machine'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openLocalProduct } from './local-product.ts'
import { isServedFrom, recordPorts } from './run-addresses.ts'

let dataFolder: string
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'mel-clone-'))
  mkdirSync(join(dataFolder, 'run'))
})
afterEach(() => rmSync(dataFolder, { recursive: true, force: true }))

const lockBy = (pid: number) =>
  writeFileSync(join(dataFolder, 'run', 'supervisor.json'), JSON.stringify({ pid }))

it('a port is served from here only if the running product recorded it', () => {
  recordPorts(join(dataFolder, 'run'), [8081])
  expect(isServedFrom(dataFolder, 8081)).toBe(false)
  lockBy(process.pid)
  expect(isServedFrom(dataFolder, 8081)).toBe(true)
  expect(isServedFrom(dataFolder, 8082)).toBe(false)
  lockBy(2 ** 22 + 1)
  expect(isServedFrom(dataFolder, 8081)).toBe(false)
})

it('a command does not use the database of another clone', async () => {
  await using occupied = await listen()
  const root = new URL('../../', import.meta.url).pathname
  const env = { MELMASTOON_POSTGRES_PORT: String(occupied.port) }
  const product = openLocalProduct({ root, env })
  await expect(product.assertStarted()).rejects.toThrow('started from another folder')
  const free = { MELMASTOON_POSTGRES_PORT: String(await freePort()) }
  const stopped = openLocalProduct({ root, env: free })
  await expect(stopped.assertStarted()).rejects.toThrow('start the product first')
  const chosen = openLocalProduct({ root, env: { ...env, DATABASE_URL: 'postgres://elsewhere' } })
  await expect(chosen.assertStarted()).resolves.toBeUndefined()
})

async function listen() {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('no port')
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
