import { checks } from './checks.ts'
import { runChecks } from './run-checks.ts'

const root = new URL('../../', import.meta.url).pathname
const only = process.argv.slice(2)
const chosen = only.length === 0 ? checks : checks.filter((check) => only.includes(check.name))
if (chosen.length === 0) {
  console.error(`No such check. Choose from: ${checks.map((check) => check.name).join(', ')}`)
  process.exit(2)
}
const failed = await runChecks(chosen, root)
process.exitCode = failed === 0 ? 0 : 1
