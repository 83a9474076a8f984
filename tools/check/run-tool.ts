import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface ToolResult {
  ok: boolean
  output: string
}

/** Runs a tool of the project's own `node_modules`, on the project's own Node. */
export function runTool(
  root: string,
  tool: string,
  { args, env = {} }: { args: readonly string[]; env?: Readonly<Record<string, string>> },
): Promise<ToolResult> {
  const bin = join(root, 'node_modules', '.bin')
  const { promise, resolve } = Promise.withResolvers<ToolResult>()
  const child = spawn(join(bin, tool), args, {
    cwd: root,
    env: { ...process.env, PATH: `${bin}:${process.env['PATH']}`, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.on('error', (error) => resolve({ ok: false, output: `${tool}: ${error.message}` }))
  child.on('close', (code) => resolve({ ok: code === 0, output }))
  return promise
}
