import { join } from 'node:path'
import { runCommand } from '@melmastoon/one-machine'

export interface ToolResult {
  ok: boolean
  output: string
}

/** Runs a tool of the project's own `node_modules`, on the project's own Node. */
export async function runTool(
  root: string,
  tool: string,
  { args, env = {} }: { args: readonly string[]; env?: Readonly<Record<string, string>> },
): Promise<ToolResult> {
  const bin = join(root, 'node_modules', '.bin')
  const path = { PATH: `${bin}:${process.env['PATH']}`, NO_COLOR: '1' }
  try {
    const { exitCode, output } = await runCommand(join(bin, tool), args, {
      cwd: root,
      env: { ...process.env, ...path, ...env },
      timeoutMs: null,
    })
    return { ok: exitCode === 0, output }
  } catch (error) {
    return { ok: false, output: `${tool}: ${String(error)}` }
  }
}
