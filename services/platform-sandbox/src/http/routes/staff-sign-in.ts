import { createSecretKey } from 'node:crypto'
import { type App, type EventSource, eventCause } from '@melmastoon/chassis/http'
import { isProblem, problem } from '@melmastoon/domain'
import { derivedKey, proofNonces, verifyProof } from '@melmastoon/security'
import { id } from '@melmastoon/upstream-contracts'
import { DEVICE_PLATFORMS, IssuedTokens, Jwks } from '@melmastoon/upstream-contracts/iam'
import type { FastifyRequest } from 'fastify'
import { calculateJwkThumbprint, decodeJwt } from 'jose'
import { Type } from 'typebox'
import type { SandboxConfig } from '../../config.ts'
import type { IamModule } from '../../modules/iam/module.ts'
import type { FaultHooks } from '../fault-hooks.ts'

const PATH = '/iam/v1/auth/sign-in'
const JWKS_SECONDS = 300
const tags = ['staff sign-in']

const coordinate = () => Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })
const PublicJwk = Type.Union([
  Type.Object({
    kty: Type.Literal('EC'),
    crv: Type.Literal('P-256'),
    x: coordinate(),
    y: coordinate(),
  }),
  Type.Object({ kty: Type.Literal('OKP'), crv: Type.Literal('Ed25519'), x: coordinate() }),
])

const SignInBody = Type.Object({
  tenantSlug: Type.String({ minLength: 1, maxLength: 63 }),
  username: Type.String({ minLength: 1, maxLength: 64 }),
  password: Type.String({ minLength: 1, maxLength: 200 }),
  device: Type.Object({
    /** As returned before; the key decides, so it may be omitted. */
    deviceId: Type.Optional(id('dev')),
    name: Type.String({ minLength: 1, maxLength: 80 }),
    platform: Type.Enum([...DEVICE_PLATFORMS]),
    appVersion: Type.String({ minLength: 1, maxLength: 40 }),
    publicJwk: PublicJwk,
  }),
})

export interface StaffSignInOptions {
  readonly iam: Pick<IamModule, 'signIn' | 'jwks'>
  readonly source: EventSource & { readonly config: SandboxConfig }
  readonly faultHooks: FaultHooks
}

/** What a staff device calls directly, without a service in between. */
export function staffSignInRoutes(app: App, { iam, source, faultHooks }: StaffSignInOptions): void {
  const { config, clock } = source
  const nonceKey = createSecretKey(
    derivedKey(config.secrets.idempotency.reveal(), 'iam-dpop-nonce'),
    'base64url',
  )

  app.get(
    '/.well-known/jwks.json',
    {
      config: { operation: 'iam.publicJwks' },
      schema: { tags, summary: 'List the keys that verify access tokens', response: { 200: Jwks } },
      ...faultHooks({ upstream: 'iam', operation: 'jwks', response: Jwks }),
    },
    async (_request, reply) =>
      reply.header('cache-control', `public, max-age=${JWKS_SECONDS}`).send(await iam.jwks()),
  )

  app.post(
    PATH,
    {
      config: { operation: 'iam.signIn' },
      schema: {
        tags,
        summary: 'Sign in on a device: requires a DPoP proof of its key with a nonce',
        body: SignInBody,
        response: { 200: IssuedTokens },
      },
      ...faultHooks({ upstream: 'iam', operation: 'signIn', response: IssuedTokens }),
    },
    async (request, reply) => {
      const nonces = proofNonces(nonceKey, clock.now())
      reply.header('dpop-nonce', nonces[0]).header('cache-control', 'no-store')
      const { device, ...account } = request.body
      const jkt = await calculateJwkThumbprint(device.publicJwk)
      verifyDevice(request, { jkt, nonces, now: clock.now(), publicUrl: config.publicUrl })
      const { name, platform, appVersion } = device
      const signIn = { ...account, device: { name, platform, appVersion, jkt } }
      return await iam.signIn(signIn, (tenantId) => eventCause(source, request, { tenantId }))
    },
  )
}

interface ProofContext {
  readonly jkt: string
  readonly nonces: readonly string[]
  readonly now: Date
  readonly publicUrl: string
}

/**
 * A recorded proof is of no use: the tokens it leads to are bound to the same key, which the
 * attacker does not have. Hence a nonce is enough, and no `jti` is stored.
 */
function verifyDevice(request: FastifyRequest, context: ProofContext): void {
  const { jkt: expectedJkt, nonces: nonce, now } = context
  const header = request.raw.headersDistinct['dpop']
  const proof = { header, method: 'POST', expectedJkt, nonce, now }
  const url = urlOf(request, context.publicUrl)
  try {
    verifyProof({ ...proof, url })
  } catch (error) {
    if (!isProblem(error) || error.status !== 401) throw error
    const name = error.code.endsWith('NONCE_REQUIRED') ? 'use_dpop_nonce' : 'invalid_dpop_proof'
    throw problem(error.code, {
      detail: error.detail,
      headers: { 'www-authenticate': `DPoP error="${name}"`, 'dpop-nonce': nonce[0] ?? '' },
    })
  }
}

/**
 * The configured URL, or the address of the listener, for callers on this machine; never built from
 * the `Host` header. The claim only chooses between the two; it is verified afterwards.
 */
function urlOf({ raw }: FastifyRequest, publicUrl: string): string {
  const { localAddress, localPort } = raw.socket
  const configured = publicUrl.replace(/\/$/, '') + PATH
  if (localAddress !== '127.0.0.1') return configured
  const own = `http://127.0.0.1:${localPort}${PATH}`
  return claimedUrl(raw.headersDistinct['dpop']?.[0]) === own ? own : configured
}

function claimedUrl(proof: string | undefined): unknown {
  try {
    return decodeJwt(proof ?? '')['htu']
  } catch {
    return undefined
  }
}
