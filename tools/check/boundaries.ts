import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTool, type ToolResult } from './run-tool.ts'

const PARSER_FIX = fileURLToPath(new URL('./visit-using.cjs', import.meta.url))
const SOURCES = ['packages', 'services', 'tools', 'bench/src']
/** A parser that understands nothing reports success over nothing: demand that it saw the code. */
const MODULES_MIN = 5

export async function checkBoundaries(root: string): Promise<ToolResult> {
  const present = SOURCES.filter((folder) => existsSync(join(root, folder)))
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...present]
  const result = await runTool(root, 'depcruise', {
    args,
    env: { NODE_OPTIONS: `--require=${PARSER_FIX}` },
  })
  const report = parseReport(result.output)
  if (!report) return { ok: false, output: result.output }
  if (report.modules < MODULES_MIN) {
    return { ok: false, output: `Only ${report.modules} modules were read: the parser is broken.` }
  }
  return { ok: report.violations.length === 0, output: report.violations.join('\n') }
}

interface Report {
  modules: number
  violations: string[]
}

function parseReport(output: string): Report | null {
  try {
    const { summary } = JSON.parse(output.slice(output.indexOf('{'))) as {
      summary: {
        totalCruised: number
        violations: { from: string; to: string; rule: { name: string } }[]
      }
    }
    return {
      modules: summary.totalCruised,
      violations: summary.violations.map((v) => `${v.rule.name}: ${v.from} → ${v.to}`),
    }
  } catch {
    return null
  }
}
