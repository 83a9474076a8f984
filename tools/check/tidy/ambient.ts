import { findLines, type Rule } from './finding.ts'
import { isTest, isTypeScript, type RepositoryFile } from './repository.ts'

/**
 * Time, chance and the environment enter through one door each, so that everything else can be
 * tested without them: `clock`, node:crypto, and the `config` of a service.
 */
const AMBIENT = [
  {
    pattern: /\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(\)/,
    doors: /\/clock\/|^packages\/domain\/src\/ids/,
    message: 'take the time from a Clock, chance from an injected source',
  },
  {
    pattern: /\bprocess\.env\b/,
    doors: /\/config(\/|\.ts$)|\/(main|migrate|seed|run-(job|outbox))\.ts$|crash-point\.ts$/,
    message: 'the environment is read in config, and handed to it by the programs of a service',
  },
  {
    pattern: /\bsql`/,
    doors: /\/sql\/|-(sql|pg)\.ts$|\/(db|schema)\//,
    message: 'SQL belongs in *-sql.ts and *-pg.ts files, sql/ folders, db/ and schema/',
  },
]

/** Runs and tests the product and is no part of it. The example service is held to the rules. */
const BESIDE = /^(tools|bench|packages\/one-machine|packages\/testkit(?!\/src\/example-service))\//

export const ambient: Rule = (files) =>
  AMBIENT.flatMap(({ pattern, doors, message }) => {
    const inside = (file: RepositoryFile) =>
      isTest(file.path) || BESIDE.test(file.path) || doors.test(file.path)
    const outside = files.filter((file) => isTypeScript(file.path) && !inside(file))
    return findLines(outside, pattern, message)
  })
