/** Personal data that occurs nowhere else, in every field that a guest can fill in. */
export const CANARY = {
  fullName: 'Canarina Featherstonehaugh',
  email: 'canarina.featherstonehaugh@example.com',
  phone: '+93 79 424 2424',
  specialRequests: 'a cage for the canarybird please',
  company: 'Featherstonehaugh Trading',
  termsAccepted: true,
} as const

/** Parts that would give the guest away, in any case, as text or as hexadecimal bytes. */
const NEEDLES = ['canarina', 'featherstonehaugh', 'canarybird', '794242424', '79 424 2424']

export function leaksIn(texts: readonly string[]): string[] {
  const hex = NEEDLES.map((needle) => Buffer.from(needle).toString('hex'))
  const base64 = NEEDLES.map((needle) => Buffer.from(needle).toString('base64').slice(0, -4))
  return texts.filter((text) => {
    const lower = text.toLowerCase()
    return (
      [...NEEDLES, ...hex].some((needle) => lower.includes(needle)) ||
      base64.some((needle) => needle.length > 8 && text.includes(needle))
    )
  })
}
