import { findLines, type Rule } from './finding.ts'

const BANNED: readonly { pattern: RegExp; message: string }[] = [
  { pattern: /\b(TODO|FIXME|XXX)\b/, message: 'unfinished work is an issue, not a comment' },
  { pattern: /(^|[\s"'`(=:])\/(work|root|farm)\//, message: 'a path of a developer’s machine' },
  { pattern: /https?:\/\/registry\./, message: 'a package registry host' },
  { pattern: /@ts-(ignore|expect-error|nocheck)/, message: 'a silenced type error' },
  { pattern: /(oxlint|eslint|biome)-(disable|ignore)/, message: 'a silenced lint rule' },
  {
    pattern: /(?<!\p{L})(she|hers?|herself|whoever|nonsense|newcomers?|mended|untold)(?!\p{L})/iu,
    message: 'a word outside plain technical English (CONTRIBUTING, code style)',
  },
  {
    pattern: /\b(describe|it|test)\.(only|todo|skip)\(/,
    message: 'a focused, pending or silently skipped test (use ctx.skip with a printed reason)',
  },
]

/** The rule and its test contain the forbidden words themselves. */
const THIS_RULE = /^tools\/check\/(tidy\/words\.ts|checks\.test\.ts)$/

export const words: Rule = (files) => {
  const checked = files.filter((file) => !THIS_RULE.test(file.path))
  return BANNED.flatMap(({ pattern, message }) => findLines(checked, pattern, message))
}
