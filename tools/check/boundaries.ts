import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTool, type ToolResult } from './run-tool.ts'

const PARSER_FIX = fileURLToPath(new URL('./visit-using.cjs', import.meta.url))
const SOURCES = ['packages', 'services', 'tools', 'bench/src']
/** A parser that fails to read the code reports no violation: require that it read some. */
const MODULES_MIN = 5

/** The part of dependency-cruiser's report that we use. */
export interface Cruised {
  readonly modules: readonly {
    readonly source: string
    readonly dependencies: readonly {
      readonly resolved: string
      readonly dependencyTypes: readonly string[]
    }[]
  }[]
  readonly summary: {
    readonly totalCruised: number
    readonly violations: readonly { from: string; to: string; rule: { name: string } }[]
  }
}

export async function checkBoundaries(root: string): Promise<ToolResult> {
  const cruised = await cruise(root)
  if (typeof cruised === 'string') return { ok: false, output: cruised }
  const { violations } = cruised.summary
  const lines = violations.map((v) => `${v.rule.name}: ${v.from} → ${v.to}`)
  return { ok: lines.length === 0, output: lines.join('\n') }
}

/** Every module with its imports and the violated rules, or why there is no such report. */
export async function cruise(root: string): Promise<Cruised | string> {
  const present = SOURCES.filter((folder) => existsSync(join(root, folder)))
  const { output } = await runTool(root, 'depcruise', {
    args: ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...present],
    env: { NODE_OPTIONS: `--require=${PARSER_FIX}` },
  })
  const cruised = parseReport(output)
  if (cruised === null) return output
  const { totalCruised } = cruised.summary
  if (totalCruised >= MODULES_MIN) return cruised
  return `Only ${totalCruised} modules were read: the parser is broken.`
}

function parseReport(output: string): Cruised | null {
  try {
    return JSON.parse(output.slice(output.indexOf('{'))) as Cruised
  } catch {
    return null
  }
}
