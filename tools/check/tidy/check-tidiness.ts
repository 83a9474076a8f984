import type { ToolResult } from '../run-tool.ts'
import { alerts } from './alerts.ts'
import { ambient } from './ambient.ts'
import { casts } from './casts.ts'
import { documents } from './documents.ts'
import type { Finding, Rule } from './finding.ts'
import { names } from './names.ts'
import { readiness } from './readiness.ts'
import { readRepository } from './repository.ts'
import { requirements } from './requirements.ts'
import { runbooks } from './runbooks.ts'
import { scenarios } from './scenarios.ts'
import { commentWidths, sizes } from './sizes.ts'
import { variables } from './variables.ts'
import { words } from './words.ts'

const RULES: readonly Rule[] = [
  sizes,
  commentWidths,
  names,
  words,
  ambient,
  casts,
  documents,
  scenarios,
  requirements,
  variables,
  runbooks,
  readiness,
  alerts,
]

/** Rules of this repository that no existing tool checks. */
export function checkTidiness(root: string): Promise<ToolResult> {
  const files = readRepository(root)
  const findings = RULES.flatMap((rule) => rule(files))
  return Promise.resolve({ ok: findings.length === 0, output: findings.map(render).join('\n') })
}

function render(finding: Finding): string {
  const place = finding.line === undefined ? finding.path : `${finding.path}:${finding.line}`
  return `${place}  ${finding.message}`
}
