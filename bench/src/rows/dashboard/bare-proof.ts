import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRedis } from '@melmastoon/chassis/redis'
import { serveCommands } from '../../harness/serve-commands.ts'

interface Start {
  readonly redisUrl: string
  readonly body: string
}

const REPLAY_MS = 130_000
const keys = new Map<string, KeyObject>()

/** The limit: one signature, one write that prevents a replay, and ready bytes. */
async function start({ redisUrl, body }: Start): Promise<number> {
  const redis = createRedis(redisUrl, { name: 'bare-proof', onError: console.error })
  const bytes = Buffer.from(body)
  const head = { 'content-type': 'application/json', 'content-length': String(bytes.length) }
  const isNew = async (proof: string) => {
    const [header = '', claims = '', signature = ''] = proof.split('.')
    const key = { key: keyOf(header), dsaEncoding: 'ieee-p1363' } as const
    const signed = Buffer.from(`${header}.${claims}`)
    if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return false
    return (await redis.set(hash('sha1', claims, 'base64url'), '', 'PX', REPLAY_MS, 'NX')) === 'OK'
  }
  const server = createServer((request, response) => {
    isNew(String(request.headers['dpop'])).then(
      (accepted) => response.writeHead(accepted ? 200 : 403, head).end(bytes),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function keyOf(header: string): KeyObject {
  const known = keys.get(header)
  if (known !== undefined) return known
  const { jwk } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { jwk: object }
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  keys.set(header, key)
  return key
}

serveCommands({ start })
