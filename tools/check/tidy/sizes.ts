import type { Finding, Rule } from './finding.ts'
import { isTest, isTypeScript } from './repository.ts'

/** Tripwires, not targets: split along a seam, never to please the counter. */
const LIMITS = [
  { what: 'route file', applies: (path: string) => /\/http\/routes\//.test(path), lines: 150 },
  { what: 'test file', applies: isTest, lines: 800 },
  { what: 'source file', applies: () => true, lines: 400 },
]

/** Tables and generated texts that are long by nature, each with its reason. */
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
