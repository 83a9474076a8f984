import { dirname } from 'node:path'
import { rolldown } from 'rolldown'

/** Syntax that every supported version of Node and current browsers understand. */
const TARGET = 'es2022'
const IN_PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\//

/**
 * One file with everything it needs: no dependency has to be installed with the package.
 * @returns the names of the packages of others in it
 */
export async function bundleCode(entry: string, file: string): Promise<string[]> {
  const bundle = await rolldown({
    input: entry,
    cwd: dirname(entry),
    platform: 'neutral',
    // None of these modules does anything when it is loaded.
    treeshake: { moduleSideEffects: false },
    resolve: { conditionNames: ['import', 'default'], mainFields: ['module', 'main'] },
    transform: { target: TARGET },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  const { output } = await bundle.write({ file, format: 'esm', sourcemap: false })
  await bundle.close()
  const chunks = output.filter((part) => part.type === 'chunk')
  if (chunks.some(({ imports }) => imports.length > 0)) throw new Error('an import is left')
  const used = chunks.flatMap(({ modules }) =>
    Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0),
  )
  return used.flatMap(([path]) => IN_PACKAGE.exec(path)?.[1] ?? [])
}
