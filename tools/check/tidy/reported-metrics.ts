import type { RepositoryFile } from './repository.ts'

/** Whether some code reports a metric of this name, which it knows without the prefix. */
export function reportedMetrics(files: readonly RepositoryFile[]): (name: string) => boolean {
  const code = files.filter(({ path }) => /^(packages|services)\/[^/]+\/src\//.test(path))
  return (name) =>
    code.some(({ text }) => text.includes(`'${name}'`) || text.includes(`}_${name}\``))
}
