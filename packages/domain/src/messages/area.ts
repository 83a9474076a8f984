/** The texts of one area of problem codes, by their full keys. */
export type Area<Prefix extends string, Texts> = {
  readonly [Name in keyof Texts & string as `${Prefix}.${Name}`]: string
}

/** `area('errors.general', { internal: '…' })` has the key `errors.general.internal`. */
export function area<Prefix extends string, const Texts extends Readonly<Record<string, string>>>(
  prefix: Prefix,
  texts: Texts,
): Area<Prefix, Texts> {
  const entries = Object.entries(texts).map(([name, text]) => [`${prefix}.${name}`, text])
  return Object.fromEntries(entries) as Area<Prefix, Texts>
}
