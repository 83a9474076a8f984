import { PROBLEM_CODES, PROBLEMS } from '@melmastoon/domain'
import {
  LABEL_KEYS,
  MESSAGE_ARGUMENTS,
  type MessageKey,
  messagesOf,
} from '@melmastoon/domain/messages'

export const MESSAGES_DOCUMENT = 'docs/messages.md'

const INTRODUCTION = `# Messages

The English texts for users, by the \`userMessageKey\` of a [problem](errors.md). The texts are in ICU MessageFormat, with
the arguments ${MESSAGE_ARGUMENTS.map((name) => `\`${name}\``).join(', ')}; Pashto and Dari are next to
English in \`packages/domain/src/messages\`. \`npm run contracts\` writes this page.
`

const LABELS = `## Labels

The texts of values that pages show: \`labels.<area>.<value>\`. The descriptions of enumerations in the OpenAPI documents
name their area. \`count\` is the number of beds, of rooms left, or of nights or days that are required; 0 where it is not
known.
`

/** The texts of all problems, in the order of their codes, and of all labels. */
export function renderMessages(): string {
  const problems = PROBLEM_CODES.map((code) => PROBLEMS[code].userMessageKey)
  return `${INTRODUCTION}\n${renderTable(problems)}\n${LABELS}\n${renderTable(LABEL_KEYS)}`
}

function renderTable(keys: readonly MessageKey[]): string {
  const english = messagesOf('en')
  const rows = keys.map((key) => [`\`${key}\``, english[key]] as const)
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(width))
  const table = [['Message key', 'English'], rule, ...rows].map(line)
  return `${table.join('\n')}\n`
}
