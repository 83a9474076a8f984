import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { newId } from '@melmastoon/domain'
import type { StaffSession } from '@melmastoon/upstream-contracts/iam'
import type { Operator } from '@melmastoon/upstream-contracts/tenant'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export const ISSUER = 'https://iam.melmastoon.ghasi.io'

interface Reply {
  readonly status: number
  readonly body: unknown
}

const NOT_FOUND = (code: string): Reply => ({
  status: 404,
  body: { code, status: 404, title: 'Not found', type: 'about:blank' },
})

/**
 * iam and the tenant service as a program whose state a test sets: what staff.md requires of the
 * back office while they respond late, wrongly or not at all. The tests with the sandbox show that
 * the real modules behave the same.
 */
export class FakePlatform implements AsyncDisposable {
  readonly sessions = new Map<string, StaffSession>()
  readonly operators = new Map<string, Operator>()
  /** How often each operation was called. */
  readonly calls = new Map<string, number>()
  /** Names of operations that respond 503. */
  readonly down = new Set<string>()
  readonly #keys: { kid: string; jwk: object; privateKey: CryptoKey }[] = []
  readonly #server = createServer((request, response) => void this.#respond(request, response))
  /** Replaces the response of an operation. */
  readonly overrides = new Map<string, (body: unknown) => Reply | Promise<Reply>>()

  static async start(): Promise<FakePlatform> {
    const platform = new FakePlatform()
    await platform.rotateKey()
    platform.#server.listen(0, '127.0.0.1')
    await once(platform.#server, 'listening')
    return platform
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async rotateKey(): Promise<string> {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
    const kid = crypto.randomUUID()
    const { kty, crv, x } = await exportJWK(publicKey)
    this.#keys.unshift({ kid, jwk: { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' }, privateKey })
    return kid
  }

  currentKid(): string {
    return this.#keys[0]?.kid ?? ''
  }

  dropOldKeys(): void {
    this.#keys.splice(1)
  }

  /** Signed by the current key. */
  async token(claims: JWTPayload, header: object = {}): Promise<string> {
    const [key] = this.#keys
    if (key === undefined) throw new TypeError('no key')
    const iat = Math.floor(Date.now() / 1_000)
    return await new SignJWT({ iss: ISSUER, aud: 'bff-backoffice', iat, exp: iat + 900, ...claims })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: key.kid, ...header })
      .sign(key.privateKey)
  }

  newOperator(change: Partial<Operator> = {}): Operator {
    const operator: Operator = {
      operatorId: newId('opr'),
      displayName: 'Test operator',
      roles: ['front_desk'],
      isLead: false,
      properties: [newId('ppt')],
      status: 'active',
      locale: 'en',
      version: 1,
      ...change,
    }
    this.operators.set(operator.operatorId, operator)
    return operator
  }

  count(operation: string): number {
    return this.calls.get(operation) ?? 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://fake').pathname
    const body = request.method === 'GET' ? undefined : await json(request).catch(() => undefined)
    const { status, body: content } = await this.#reply(path, body)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(content))
  }

  async #reply(path: string, body: unknown): Promise<Reply> {
    const [, , , , , kind = '', id = '', action = ''] = path.split('/')
    const operation = nameOf(kind, id, action)
    this.calls.set(operation, this.count(operation) + 1)
    if (this.down.has(operation)) return { status: 503, body: {} }
    const override = this.overrides.get(operation)
    if (override !== undefined) return await override(body)
    if (operation === 'jwks') return { status: 200, body: { keys: this.#keys.map((k) => k.jwk) } }
    if (operation === 'getOperator') {
      return found(this.operators.get(id), 'MELMASTOON.TENANT.OPERATOR_NOT_FOUND')
    }
    if (operation === 'revokeSession') this.revoke(id)
    return found(this.sessions.get(id), 'MELMASTOON.IAM.SESSION_NOT_FOUND')
  }

  revoke(sessionId: string): void {
    const session = this.sessions.get(sessionId)
    if (session !== undefined) this.sessions.set(sessionId, { ...session, status: 'revoked' })
  }
}

function nameOf(kind: string, id: string, action: string): string {
  if (kind === 'jwks') return 'jwks'
  if (kind === 'operators') return action === 'factors' ? 'factors' : 'getOperator'
  if (kind === 'mfa') return id === 'challenges' ? 'createMfaChallenge' : 'attest'
  if (id === 'refresh') return 'refresh'
  return action === 'revoke' ? 'revokeSession' : 'validateSession'
}

function found(value: unknown, code: string): Reply {
  return value === undefined ? NOT_FOUND(code) : { status: 200, body: value }
}
