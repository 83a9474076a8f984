import { newId } from '@melmastoon/domain'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Check } from 'typebox/value'
import { IssuedTokens } from '../iam/contract.ts'
import { DEMO_STAFF } from '../iam/demo-staff.ts'
import { ContractViolation } from './check.ts'

/** An account with an enrolled authenticator; staff sign in at iam itself, not at the contract. */
export interface StaffAccount {
  /** The full URL of the sign-in route. */
  readonly signInUrl: string
  readonly tenantSlug: string
  readonly username: string
  readonly password: string
  /** The private Ed25519 key of the authenticator. */
  readonly authenticatorJwk: Readonly<Record<'kty' | 'crv' | 'x' | 'd', string>>
}

/** The demo account of the sandbox, whose upstreams and sign-in have one origin. */
export function demoAccount(iamUrl: string): StaffAccount {
  const { tenantSlug, password, authenticatorJwk } = DEMO_STAFF
  const signInUrl = new URL('/iam/v1/auth/sign-in', iamUrl).href
  return { signInUrl, tenantSlug, username: 'manager', password, authenticatorJwk }
}

export interface SignedInStaff extends IssuedTokens {
  readonly jkt: string
}

/** On a new device. */
export async function signInStaff(account: StaffAccount): Promise<SignedInStaff> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const publicJwk = await exportJWK(publicKey)
  const { signInUrl, tenantSlug, username, password } = account
  const device = { name: 'Conformance', platform: 'linux', appVersion: '1.0.0', publicJwk }
  const send = async (nonce?: string) => {
    const claims = { htm: 'POST', htu: signInUrl, ...(nonce !== undefined && { nonce }) }
    const proof = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: publicJwk })
      .setJti(newId('req'))
      .setIssuedAt()
      .sign(privateKey)
    const headers = { 'content-type': 'application/json', dpop: proof }
    const body = JSON.stringify({ tenantSlug, username, password, device })
    return await fetch(signInUrl, { method: 'POST', headers, body })
  }
  const first = await send()
  const nonce = first.headers.get('dpop-nonce')
  const response = first.status === 401 && nonce !== null ? await send(nonce) : first
  const tokens: unknown = await response.json()
  if (!response.ok || !Check(IssuedTokens, tokens)) {
    throw new ContractViolation(`sign-in returned ${response.status}`)
  }
  return { ...tokens, jkt: await calculateJwkThumbprint(publicJwk) }
}
