import { rolldown } from 'rolldown'

/** Syntax that every supported version of Node and current browsers understand. */
const TARGET = 'es2022'
/** The texts and their formatter, which are most of the code. */
const TEXTS = /domain\/src\/messages\/|intl-messageformat|@formatjs/
const IN_PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\//

/**
 * One file per module of the package and one with what they share: no dependency has to be
 * installed with the package, and bundlers omit the modules that are not used.
 * @returns the names of the packages of others in it
 */
export async function bundleCode(input: Record<string, string>, dir: string): Promise<string[]> {
  const bundle = await rolldown({
    input,
    platform: 'neutral',
    // None of these modules does anything when it is loaded.
    treeshake: { moduleSideEffects: false },
    resolve: { conditionNames: ['import', 'default'], mainFields: ['module', 'main'] },
    transform: { target: TARGET },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  const { output } = await bundle.write({
    dir,
    format: 'esm',
    sourcemap: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting: { groups: [{ name: 'texts', test: TEXTS }] },
  })
  await bundle.close()
  const chunks = output.filter((part) => part.type === 'chunk')
  const own = new Set(chunks.map(({ fileName }) => fileName))
  if (chunks.some(({ imports }) => imports.some((name) => !own.has(name)))) {
    throw new Error('an import is left')
  }
  const used = chunks.flatMap(({ modules }) =>
    Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0),
  )
  return used.flatMap(([path]) => IN_PACKAGE.exec(path)?.[1] ?? [])
}
