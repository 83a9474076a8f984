import type { Names } from './world.ts'

/** English, Pashto, Dari: the order of all word tables. */
export function names(en: string, ps: string, fa: string): Names {
  return { default: en, localized: { 'ps-AF': ps, 'fa-AF': fa } }
}

/** `Kabul / کابل / کابل` */
export function readNames(text: string): Names {
  const [en, ps, fa, ...rest] = text.split('/').map((part) => part.trim())
  if (!en || !ps || !fa || rest.length > 0)
    throw new TypeError(`not a name in three languages: ${text}`)
  return names(en, ps, fa)
}

/** One sentence after the other. */
export function joined(a: Names, b: Names): Names {
  return names(
    `${a.default} ${b.default}`,
    `${a.localized['ps-AF']} ${b.localized['ps-AF']}`,
    `${a.localized['fa-AF']} ${b.localized['fa-AF']}`,
  )
}
