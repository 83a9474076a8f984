import type { Finding, Rule } from './finding.ts'
import { isTest, isTypeScript } from './repository.ts'

const WIDTH_MAX = 100
const COMMENT = /^\s*(\/\/|\/?\*)/

/** Upper bounds, not targets: split a file where its subject divides. */
const LIMITS = [
  { what: 'route file', applies: (path: string) => /\/http\/routes\//.test(path), lines: 150 },
  { what: 'test file', applies: isTest, lines: 800 },
  { what: 'source file', applies: () => true, lines: 400 },
]

/** Tables that are necessarily long, each with its reason. */
const EXEMPT = new Map<string, string>([
  ['packages/domain/src/problems.ts', 'one table: a row for every error code of the platform'],
])

export const sizes: Rule = (files) =>
  files.flatMap((file): Finding[] => {
    if (!isTypeScript(file.path) || EXEMPT.has(file.path)) return []
    const limit = LIMITS.find((candidate) => candidate.applies(file.path))
    if (!limit || file.lines.length <= limit.lines) return []
    const message = `${file.lines.length} lines; a ${limit.what} has at most ${limit.lines}`
    return [{ path: file.path, message }]
  })

/** The formatter limits the width of code but not of comments. URLs may be longer. */
export const commentWidths: Rule = (files) =>
  files
    .filter((file) => isTypeScript(file.path))
    .flatMap((file) =>
      file.lines.flatMap((line, index) => {
        const isWide = COMMENT.test(line) && line.length > WIDTH_MAX && !line.includes('://')
        const message = `a comment has at most ${WIDTH_MAX} columns`
        return isWide ? [{ path: file.path, line: index + 1, message }] : []
      }),
    )
