/** Whether two values have the same JSON text; members in another order make another text. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object') return false
  if (one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [names, others] = [Object.keys(one), Object.keys(other)]
  if (names.length !== others.length) return false
  return names.every((name, at) => {
    return name === others[at] && isSameJson(memberOf(one, name), memberOf(other, name))
  })
}

function memberOf(object: object, name: string): unknown {
  return (object as Record<string, unknown>)[name]
}
