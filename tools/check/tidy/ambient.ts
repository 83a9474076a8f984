import { findLines, type Rule } from './finding.ts'
import { isTest, isTypeScript, type RepositoryFile } from './repository.ts'

/**
 * Time, randomness and the environment are read in one place each (`clock`, node:crypto, `config`),
 * so that everything else can be tested without them.
 */
const AMBIENT = [
  {
    pattern: /\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(\)/,
    allowed: /\/clock\/|^packages\/domain\/src\/ids/,
    message: 'take the time from a Clock, randomness from an injected source',
  },
  {
    pattern: /\bprocess\.env\b/,
    allowed: /\/config(\/|\.ts$)|\/(main|migrate|seed|run-(job|outbox))\.ts$|crash-point\.ts$/,
    message: 'only config reads the environment, which main passes to it',
  },
  {
    pattern: /\bsql`/,
    allowed: /\/sql\/|-(sql|pg)\.ts$|\/(db|schema)\//,
    message: 'SQL belongs in *-sql.ts and *-pg.ts files, sql/ folders, db/ and schema/',
  },
]

/** Runs or tests the product without being part of it; the example service follows the rules. */
const NOT_PRODUCT =
  /^(tools|bench|packages\/one-machine|packages\/testkit(?!\/src\/example-service))\//

export const ambient: Rule = (files) =>
  AMBIENT.flatMap(({ pattern, allowed, message }) => {
    const inside = (file: RepositoryFile) =>
      isTest(file.path) || NOT_PRODUCT.test(file.path) || allowed.test(file.path)
    const outside = files.filter((file) => isTypeScript(file.path) && !inside(file))
    return findLines(outside, pattern, message)
  })
