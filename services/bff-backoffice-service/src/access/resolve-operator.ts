import { type PropertyId, problem } from '@melmastoon/domain'
import type { TokenClaims } from './access-token.ts'
import type { GrantedScope, Operator, PropertyScope } from './operator.ts'
import type { OperatorRecord } from './operator-records.ts'
import type { VerifiedToken } from './verified-tokens.ts'

/**
 * What the token grants and the record still allows: a role or property that was removed is lost at
 * once, one that was added counts from the next token on.
 * @throws Problem SESSION.REVOKED, TOKEN_INVALID
 */
export function resolveOperator(token: VerifiedToken, record: OperatorRecord | null): Operator {
  if (record === null || record.status !== 'active') throw problem('MELMASTOON.SESSION.REVOKED')
  if (token.operator?.record === record) return token.operator.value
  const value = operatorOf(token.claims, record)
  token.operator = { record, value }
  return value
}

/** Whether the record still allows what the operator was granted; additions do not count. */
export function isStillAllowed(scope: GrantedScope, record: OperatorRecord | null): boolean {
  if (record === null || record.status !== 'active') return false
  const { roles, isLead, properties } = scope
  if (isLead !== record.isLead || !roles.every((role) => record.roles.includes(role))) return false
  const allowed: '*' | readonly string[] = record.properties
  if (allowed === '*') return true
  return properties !== '*' && [...properties].every((id) => allowed.includes(id))
}

function operatorOf(claims: TokenClaims, record: OperatorRecord): Operator {
  const { expiresAtMs, roles, properties, ...ids } = claims
  const isWhole = roles.every((role) => record.roles.includes(role))
  const current = isWhole ? roles : roles.filter((role) => record.roles.includes(role))
  if (current.length === 0) {
    // A refresh returns a token with the roles of now.
    const detail = 'the roles of the operator have changed'
    throw problem('MELMASTOON.SECURITY.TOKEN_INVALID', { detail })
  }
  return Object.freeze({
    ...ids,
    roles: current,
    isLead: record.isLead,
    properties: intersection(properties, record.properties as '*' | readonly PropertyId[]),
    chargeLimit: record.chargeLimit,
    tokenExpiresAt: new Date(expiresAtMs),
  })
}

function intersection(granted: PropertyScope, allowed: '*' | readonly PropertyId[]): PropertyScope {
  if (allowed === '*') return granted
  if (granted === '*') return new Set(allowed)
  const both = new Set(allowed.filter((id) => granted.has(id)))
  // Usually: one set of a token in memory instead of two.
  return both.size === granted.size ? granted : both
}
