export interface BenchOptions {
  readonly rows: readonly string[]
  readonly short: boolean
}

/** @throws TypeError with a message for the user. */
export function parseBenchOptions(args: readonly string[], known: readonly string[]): BenchOptions {
  const short = args.includes('--short')
  const names = args.filter((arg) => arg !== '--short').map((arg) => arg.toUpperCase())
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new TypeError(`There is no row ${unknown}: choose from ${known.join(', ')}, or --short.`)
  }
  return { rows: names.length === 0 ? known : known.filter((id) => names.includes(id)), short }
}
