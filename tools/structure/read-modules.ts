import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cruise } from '../check/boundaries.ts'

/** A source file with the files it imports at run time; type-only imports need no reading. */
export interface Module {
  readonly path: string
  readonly lines: number
  readonly imports: readonly string[]
}

/** Tests, generated clients and the programs that benchmarks compare with are not our source. */
const NOT_SOURCE = /(\.test\.ts|\.d\.ts|\/tests\/|\/fixtures?\/|^bench\/peers\/)/

export async function readModules(root: string): Promise<Module[]> {
  const cruised = await cruise(root)
  if (typeof cruised === 'string') throw new Error(cruised)
  const own = cruised.modules.filter(({ source }) => isSource(source))
  return Promise.all(
    own.map(async ({ source, dependencies }) => ({
      path: source,
      lines: await countLines(join(root, source)),
      imports: dependencies
        .filter(({ dependencyTypes }) => !dependencyTypes.includes('type-only'))
        .map(({ resolved }) => resolved)
        .filter(isSource),
    })),
  )
}

function isSource(path: string): boolean {
  return /^(packages|services|tools|bench)\//.test(path) && !NOT_SOURCE.test(path)
}

async function countLines(path: string): Promise<number> {
  return (await readFile(path, 'utf8')).split('\n').length - 1
}
