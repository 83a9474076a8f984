/** The position of a refresh token in its family. */
export interface TokenPosition {
  readonly generation: number
  /** 0 for the first token of a generation, then one more with every replacement. */
  readonly replacement: number
}

export interface FamilyPosition {
  readonly generation: number
  /** The current token is the latest replacement of the latest generation. */
  readonly replacements: number
  /** The replacement of the previous generation that was exchanged for the current token. */
  readonly parentReplacement: number
  /** When the current token was issued. */
  readonly rotatedAt: Date
}

export interface RefreshRules {
  /** Requests with the parent during this time are the same refresh, sent more than once. */
  readonly repeatSeconds: number
  readonly replacementsMax: number
}

export const REFRESH_RULES: RefreshRules = { repeatSeconds: 10, replacementsMax: 3 }

/**
 * `rotate`: the current token is exchanged for the next generation.
 * `repeat`: concurrent requests and immediate retries all receive the same successor.
 * `replace`: the response with the successor was lost, however long ago; it never becomes valid.
 * `reuse`: two parties have tokens of this family.
 */
export type RefreshDecision = 'rotate' | 'repeat' | 'replace' | 'reuse'

/** For an authentic token of this family, presented by the holder of the device key. */
export function decideRefresh(
  family: FamilyPosition,
  presented: TokenPosition,
  { now, rules }: { readonly now: Date; readonly rules: RefreshRules },
): RefreshDecision {
  const { generation, replacements, parentReplacement, rotatedAt } = family
  if (isAt(presented, generation, replacements)) return 'rotate'
  if (!isAt(presented, generation - 1, parentReplacement)) return 'reuse'
  const ageSeconds = (now.getTime() - rotatedAt.getTime()) / 1_000
  if (ageSeconds <= rules.repeatSeconds) return 'repeat'
  return replacements < rules.replacementsMax ? 'replace' : 'reuse'
}

function isAt(token: TokenPosition, generation: number, replacement: number): boolean {
  return token.generation === generation && token.replacement === replacement
}
