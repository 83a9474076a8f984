import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWK, SignJWT } from 'jose'

export const ISSUER = 'https://accounts.google.com'
export const ACCOUNT = 'bff-consumer-sa@melmastoon.iam.gserviceaccount.com'

export interface Claims {
  readonly audience?: string
  readonly email?: string
  readonly emailVerified?: boolean
  readonly issuer?: string
  /** From now; negative: already expired. */
  readonly lifeMs?: number
}

export interface Google extends AsyncDisposable {
  readonly url: string
  readonly jwksUrl: string
  mode: 'well' | 'failing' | 'hanging' | 'impostor' | 'garbage'
  /** Lifetime of the tokens of the metadata server. */
  lifeMs: number
  /** Every request that arrived, by path. */
  readonly requests: string[]
  sign(claims?: Claims): Promise<string>
  /** Signs the following tokens with a new key. */
  rotate(): Promise<void>
}

interface SigningKey {
  readonly privateKey: GenerateKeyPairResult['privateKey']
  readonly jwk: JWK
}

/** A fake metadata server and a fake server of Google's public keys. */
export async function startGoogle(): Promise<Google> {
  const keys: [SigningKey, ...SigningKey[]] = [await newKey('key-1')]
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://google')
    google.requests.push(url.pathname)
    if (google.mode === 'hanging') return
    if (google.mode === 'failing') send(response, 503, 'unavailable')
    else if (url.pathname === '/certs') sendKeys(response)
    else void sendToken(response, url.searchParams.get('audience') ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const google: Google = {
    url,
    jwksUrl: `${url}/certs`,
    mode: 'well',
    lifeMs: 3_600_000,
    requests: [],
    sign: (claims = {}) => sign(keys[0], claims),
    async rotate() {
      keys.unshift(await newKey(`key-${keys.length + 1}`))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  function sendKeys(response: ServerResponse): void {
    response.setHeader('content-type', 'application/json')
    send(response, 200, JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }))
  }

  async function sendToken(response: ServerResponse, audience: string): Promise<void> {
    if (google.mode !== 'impostor') response.setHeader('metadata-flavor', 'Google')
    const token = await sign(keys[0], { audience, lifeMs: google.lifeMs })
    send(response, 200, google.mode === 'garbage' ? 'not.a.token' : token)
  }

  return google
}

function send(response: ServerResponse, status: number, body: string): void {
  response.statusCode = status
  response.end(body)
}

async function newKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { modulusLength: 2048 })
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } }
}

/** `jti` makes every token unique, also within one second. */
async function sign({ privateKey, jwk }: SigningKey, claims: Claims): Promise<string> {
  const endsAt = new Date(Date.now() + (claims.lifeMs ?? 3_600_000))
  return await new SignJWT({
    email: claims.email ?? ACCOUNT,
    email_verified: claims.emailVerified ?? true,
  })
    .setProtectedHeader({ alg: 'RS256', kid: jwk.kid ?? '' })
    .setIssuer(claims.issuer ?? ISSUER)
    .setAudience(claims.audience ?? '')
    .setSubject('1234567890')
    .setIssuedAt(Math.floor(Date.now() / 1_000) - 60)
    .setExpirationTime(endsAt)
    .setJti(crypto.randomUUID())
    .sign(privateKey)
}
