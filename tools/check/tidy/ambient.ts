import { findLines, type Rule } from './finding.ts'
import { isTest, isTypeScript, type RepositoryFile } from './repository.ts'

/**
 * Time, chance and the environment enter through one door each, so that everything else can be
 * tested without them: `clock`, node:crypto, and the `config` of a service.
 */
const AMBIENT = [
  {
    pattern: /\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(\)/,
    doors: /\/clock\/|^packages\/(domain\/src\/ids|one-machine|testkit)|^(tools|bench)\//,
    message: 'take the time from a Clock, chance from an injected source',
  },
  {
    pattern: /\bprocess\.env\b/,
    doors:
      /\/config(\/|\.ts$)|\/main\.ts$|crash-point\.ts$|^packages\/(one-machine|testkit)\/|^(tools|bench)\//,
    message: 'the environment is read in config only',
  },
  {
    pattern: /\bsql`/,
    doors: /\/sql\/|-pg\.ts$|\/(db|schema)\/|^packages\/testkit\/|^(tools|bench)\//,
    message: 'SQL lives in sql/ folders, *-pg.ts files, db/ and schema/',
  },
]

export const ambient: Rule = (files) =>
  AMBIENT.flatMap(({ pattern, doors, message }) => {
    const inside = (file: RepositoryFile) => isTest(file.path) || doors.test(file.path)
    const outside = files.filter((file) => isTypeScript(file.path) && !inside(file))
    return findLines(outside, pattern, message)
  })
