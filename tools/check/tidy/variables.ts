import type { Finding, Rule } from './finding.ts'
import { isTest, type RepositoryFile } from './repository.ts'

const PAGE = 'docs/configuration.md'
const READ =
  /(?:\benv[A-Z]\w*\(|\broleUrl\(|\b(?:readPort|serverPort|given)\(env, |\benv(?:\[|\.))\s*'?([A-Z][A-Z0-9_]{2,})\b/g
const LISTED = /^\| `([A-Z][A-Z0-9_]+)` +\|/gm
/** Variables of the operating system. */
const SYSTEM = new Set(['PATH', 'HOME'])

/** The document lists exactly the environment variables that the code reads. */
export const variables: Rule = (files) => {
  const page = files.find((file) => file.path === PAGE)?.text ?? ''
  const listed = [...page.matchAll(LISTED)].map((match) => match[1] ?? '')
  const code = files.filter(isProduct)
  const unlisted = code.flatMap((file) => unlistedIn(file, new Set([...listed, ...SYSTEM])))
  const unused = listed.filter((name) => !code.some((file) => file.text.includes(name)))
  return [
    ...unlisted,
    ...unused.map((name) => ({ path: PAGE, message: `lists ${name}, which no code reads` })),
  ]
}

function isProduct({ path }: RepositoryFile): boolean {
  return /^(packages|services|tools)\/.*\.(ts|mjs)$/.test(path) && !isTest(path)
}

function unlistedIn(file: RepositoryFile, listed: ReadonlySet<string>): Finding[] {
  const read = [...file.text.matchAll(READ)].map((match) => match[1] ?? '')
  return [...new Set(read)]
    .filter((name) => !listed.has(name))
    .map((name) => ({ path: file.path, message: `reads ${name}, which ${PAGE} does not list` }))
}
