import { basename } from 'node:path'
import type { Finding, Rule } from './finding.ts'
import { isTypeScript } from './repository.ts'

const TOO_GENERAL = /(^|\/)(utils?|helpers?|common|managers?|misc)(\/|[.-])/
const KEBAB = /^_?[a-z0-9]+([.-][a-z0-9]+)*$/

export const names: Rule = (files) =>
  files.filter((file) => isTypeScript(file.path)).flatMap((file) => nameFindings(file.path))

function nameFindings(path: string): Finding[] {
  const findings: Finding[] = []
  if (TOO_GENERAL.test(path)) {
    findings.push({ path, message: 'the name is too general: name the subject of the file' })
  }
  if (!path.endsWith('.tsx') && !KEBAB.test(basename(path))) {
    findings.push({ path, message: 'file names are kebab-case' })
  }
  return findings
}
