import { PROBLEM_CODES, PROBLEMS } from '@melmastoon/domain'
import { MESSAGE_ARGUMENTS, messagesOf } from '@melmastoon/domain/messages'

export const MESSAGES_DOCUMENT = 'docs/messages.md'

const INTRODUCTION = `# Messages

The English texts for users, by the \`userMessageKey\` of a [problem](errors.md). The texts are in ICU MessageFormat, with
the arguments ${MESSAGE_ARGUMENTS.map((name) => `\`${name}\``).join(', ')}; Pashto and Dari are next to
English in \`packages/domain/src/messages\`. \`npm run contracts\` writes this page.
`

/** The texts of all problems, in the order of their codes. */
export function renderMessages(): string {
  const english = messagesOf('en')
  const keys = PROBLEM_CODES.map((code) => PROBLEMS[code].userMessageKey)
  const rows = keys.map((key) => [`\`${key}\``, english[key]] as const)
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(width))
  const table = [['Message key', 'English'], rule, ...rows].map(line)
  return `${INTRODUCTION}\n${table.join('\n')}\n`
}
