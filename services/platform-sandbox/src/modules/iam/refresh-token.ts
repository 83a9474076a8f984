import { createHmac } from 'node:crypto'
import { type Id, isId, type TenantId } from '@melmastoon/domain'
import { equalText } from '@melmastoon/security'
import type { TokenPosition } from './decide-refresh.ts'

export interface FamilyRef {
  readonly tenantId: TenantId
  readonly familyId: Id<'fam'>
}

export interface ParsedToken extends FamilyRef, TokenPosition {
  readonly mac: string
}

const COUNTER = /^[1-9]\d{0,8}$|^0$/

/**
 * `tenant.family.generation.replacement.mac`: the same position always has the same token, so that
 * a repeated request receives the same successor although no token is stored.
 */
export function renderToken(key: Buffer, ref: FamilyRef, position: TokenPosition): string {
  const { generation, replacement } = position
  const text = `${ref.tenantId}.${ref.familyId}.${generation}.${replacement}`
  return `${text}.${macOf(key, text)}`
}

/** Null for anything but the form of a token; `isAuthentic` decides whether we issued it. */
export function parseToken(token: string): ParsedToken | null {
  const [tenantId, familyId, generation = '', replacement = '', mac = '', ...rest] =
    token.split('.')
  if (!isId('tnt', tenantId) || !isId('fam', familyId) || rest.length > 0) return null
  if (!COUNTER.test(generation) || !COUNTER.test(replacement)) return null
  return {
    tenantId,
    familyId,
    generation: Number(generation),
    replacement: Number(replacement),
    mac,
  }
}

export function isAuthentic(key: Buffer, token: ParsedToken): boolean {
  const { tenantId, familyId, generation, replacement, mac } = token
  return equalText(mac, macOf(key, `${tenantId}.${familyId}.${generation}.${replacement}`))
}

function macOf(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(`refresh\n${text}`).digest('base64url')
}
