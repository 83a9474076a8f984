import type { Rule } from './finding.ts'
import { isTypeScript } from './repository.ts'

const WIDTH_MAX = 100
const COMMENT = /^\s*(\/\/|\/?\*)/

/** The formatter holds code to this width and leaves comments alone. An address stays whole. */
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
