import type { RepositoryFile } from './repository.ts'

export interface Finding {
  path: string
  line?: number
  message: string
}

export type Rule = (files: readonly RepositoryFile[]) => Finding[]

/** One finding for every line that matches, in the files that the rule is about. */
export function findLines(
  files: readonly RepositoryFile[],
  pattern: RegExp,
  message: string,
): Finding[] {
  return files.flatMap((file) =>
    file.lines.flatMap((text, index) =>
      pattern.test(text) ? [{ path: file.path, line: index + 1, message }] : [],
    ),
  )
}
