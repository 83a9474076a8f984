import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverEnvironment } from './config/environment.ts'
import { launchServer } from './launch-server.ts'
import { commandLine } from './process-state.ts'
import { prepareServerFolder, returnData } from './server-folder.ts'
import { createInstance, type Instance, launchOnPort } from './server-instance.ts'
import { reachableTool, type Tool } from './tools/find-tool.ts'

export interface ProgramOptions {
  readonly name: string
  readonly tool: Tool
  readonly dataDir: string
  readonly stopSignal: NodeJS.Signals
  /** The arguments for a port; writes the files that the program needs below `folder`. */
  readonly args: (port: number, folder: string) => readonly string[]
  readonly isReady: (port: number) => Promise<boolean>
  readonly url: (port: number) => string
}

/** Starts any other server on a free port, as `nobody` when run by root. */
export async function startProgram(options: ProgramOptions): Promise<Instance> {
  const folder = prepareServerFolder(options.dataDir)
  const { path, identity } = folder
  const kind = {
    name: options.name,
    dataDir: path,
    stopSignal: options.stopSignal,
    url: options.url,
    launch: (port: number) => {
      const tool = reachableTool(options.tool, prepareServerFolder(options.dataDir))
      return launchServer({
        name: options.name,
        command: tool.path,
        args: options.args(port, path),
        env: serverEnvironment(tool.env),
        cwd: path,
        identity,
        logFile: join(path, 'program.log'),
        onSpawn: (pid) => writeFileSync(join(path, 'program.json'), String(pid)),
        isReady: () => options.isReady(port),
      })
    },
    release: () => returnData(folder),
  }
  return createInstance(kind, await launchOnPort(kind, 0))
}

/** The program that a dead run left behind, identified by its folder in the command line. */
export function findLiveProgram(folder: string): { pid: number } | null {
  try {
    const pid = Number(readFileSync(join(folder, 'program.json'), 'utf8'))
    const mine = commandLine(pid)?.some((word) => word.includes(folder)) === true
    return mine ? { pid } : null
  } catch {
    return null
  }
}
