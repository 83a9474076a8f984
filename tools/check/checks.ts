import { checkBoundaries } from './boundaries.ts'
import { runTool, type ToolResult } from './run-tool.ts'
import { checkTidiness } from './tidy/check-tidiness.ts'

export interface Check {
  name: string
  run(root: string): Promise<ToolResult>
}

/** Results of earlier runs are reused for unchanged files. */
const TYPES = [
  '-p',
  'tsconfig.json',
  '--incremental',
  '--tsBuildInfoFile',
  '.melmastoon/types.tsbuildinfo',
]

/** Everything `npm run check` does, fastest first. `checks.test.ts` shows that each can fail. */
export const checks: readonly Check[] = [
  { name: 'tidiness', run: checkTidiness },
  {
    name: 'format',
    run: (root) => runTool(root, 'biome', { args: ['check', '--error-on-warnings', '.'] }),
  },
  { name: 'types', run: (root) => runTool(root, 'tsc', { args: TYPES }) },
  {
    name: 'lint',
    run: (root) => runTool(root, 'oxlint', { args: ['--type-aware', '--deny-warnings', '.'] }),
  },
  { name: 'boundaries', run: checkBoundaries },
  {
    name: 'dead-code',
    run: (root) => runTool(root, 'knip', { args: ['--no-progress', '--no-config-hints'] }),
  },
]
