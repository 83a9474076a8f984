import type { Finding, Rule } from './finding.ts'
import type { RepositoryFile } from './repository.ts'

const PAGE = 'docs/requirements.md'
const ID = String.raw`[PDCTBFEU](?:[1-9]|[123]\d)|(?:IDEM|OBX|HOLD|PAY|SF|RLS|ECO)-\d{2}|SEC-[A-Z]\d{2}`
/** Not a time of day (T22:30), a percent-encoded byte (%E2) or the name of a client (U2/1.0). */
const CITED = new RegExp(`(?<![\\w%-])(?:${ID})(?![\\w:/-])`, 'g')
const EXPLAINED = new RegExp(`^\\| (${ID}) +\\|`, 'gm')

/** Every id cited in a comment or a test is explained in the document. */
export const requirements: Rule = (files) => {
  const page = files.find((file) => file.path === PAGE)?.text ?? ''
  const explained = [...page.matchAll(EXPLAINED)].map((match) => match[1] ?? '')
  const known = new Set(explained)
  const twice = explained.filter((id, index) => explained.indexOf(id) !== index)
  return [
    ...twice.map((id) => ({ path: PAGE, message: `explains ${id} twice` })),
    ...files.filter(isProse).flatMap((file) => unknownIds(file, known)),
  ]
}

function isProse({ path }: RepositoryFile): boolean {
  return /\.(ts|mjs|cjs|sql|md)$/.test(path) && path !== PAGE
}

function unknownIds(file: RepositoryFile, known: ReadonlySet<string>): Finding[] {
  return file.lines.flatMap((text, index) =>
    (text.match(CITED) ?? [])
      .filter((id) => !known.has(id))
      .map((id) => ({
        path: file.path,
        line: index + 1,
        message: `cites ${id}, which ${PAGE} does not explain`,
      })),
  )
}
