import { dirname, join, normalize } from 'node:path'
import type { Finding, Rule } from './finding.ts'
import type { RepositoryFile } from './repository.ts'

const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)/g
const REQUIRED = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'LICENSE',
  'docs/glossary.md',
  'docs/errors.md',
  'docs/requirements.md',
  'docs/configuration.md',
]

/** Required documents exist, have one title each, and their relative links are valid. */
export const documents: Rule = (files) => {
  const paths = new Set(files.map((file) => file.path))
  const missing = REQUIRED.filter((path) => !paths.has(path)).map((path) => ({
    path,
    message: 'this document is missing',
  }))
  const markdown = files.filter((file) => file.path.endsWith('.md'))
  return [...missing, ...markdown.flatMap((file) => [...titles(file), ...deadLinks(file, paths)])]
}

function titles(file: RepositoryFile): Finding[] {
  const prose = file.text.replace(/```[\s\S]*?```/g, '')
  const count = prose.split('\n').filter((line) => line.startsWith('# ')).length
  return count === 1 ? [] : [{ path: file.path, message: `has ${count} titles instead of one` }]
}

function deadLinks(file: RepositoryFile, paths: ReadonlySet<string>): Finding[] {
  const targets = [...file.text.matchAll(LINK)].map((match) => match[1] ?? '')
  return targets
    .filter((target) => !isValidLink(file.path, target, paths))
    .map((target) => ({
      path: file.path,
      message: `links to ${target}, which does not exist`,
    }))
}

function isValidLink(from: string, target: string, paths: ReadonlySet<string>): boolean {
  const path = normalize(join(dirname(from), target)).replace(/\/$/, '')
  return paths.has(path) || [...paths].some((known) => known.startsWith(`${path}/`))
}
