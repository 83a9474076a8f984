import { serverEnvironment } from '../config/environment.ts'
import { MachineError } from '../machine-error.ts'
import { runCommand } from '../run-command.ts'
import { findTool, type Tool } from '../tools/find-tool.ts'

const oldestMajor = 7

/** In Debian redis-server is a link into redis-tools, which contains the program. */
const packages = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1']

export async function findRedis(): Promise<Tool> {
  const tool = await findTool('redis-server', { packages })
  const result = await runCommand(tool.path, ['--version'], { env: serverEnvironment(tool.env) })
  const version = result.output.match(/v=(\d+)\.([\d.]+)/)
  if (version === null) {
    const message = result.output.trim().split('\n')[0] ?? ''
    const sentence = `${tool.path} does not run (${message}): install Redis ${oldestMajor} or newer.`
    throw new MachineError('TOOL_MISSING', sentence)
  }
  if (Number(version[1]) < oldestMajor) {
    const found = `${version[1]}.${version[2]}`
    const sentence = `${tool.path} is Redis ${found}, and Redis ${oldestMajor} or newer is required: install it, or remove the old one from the PATH.`
    throw new MachineError('TOOL_TOO_OLD', sentence)
  }
  return tool
}
