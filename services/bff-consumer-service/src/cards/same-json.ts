/** Whether two values of JSON say the same; the order of members says nothing. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object') return false
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false
  let left = 0
  for (const name in one) {
    if (!Object.hasOwn(other, name)) return false
    if (!isSameJson(memberOf(one, name), memberOf(other, name))) return false
    left += 1
  }
  for (const _name in other) left -= 1
  return left === 0
}

function memberOf(object: object, name: string): unknown {
  return (object as Record<string, unknown>)[name]
}
