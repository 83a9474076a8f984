import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { dataRoot, searchFolders } from '../config/environment.ts'
import { MachineError } from '../machine-error.ts'
import { createFolder, reachableProgram, type ServerFolder } from '../server-folder.ts'
import { extractDebianPackages } from './debian-packages.ts'

export interface Tool {
  readonly path: string
  /** The environment that the program needs, such as the path of its private libraries. */
  readonly env: Record<string, string>
  /** The folder of a private copy; absent for a program of the system. */
  readonly home?: string
}

export interface ToolOptions {
  /** Debian packages with the program and the libraries that a minimal system lacks. */
  readonly packages: readonly string[]
}

/** The program from the PATH, otherwise a private copy from Debian packages, downloaded once. */
export async function findTool(name: string, options: ToolOptions): Promise<Tool> {
  const installed = findInstalledTool(name)
  if (installed !== null) return installed
  const tools = join(dataRoot(), 'tools')
  createFolder(tools)
  const home = join(tools, name)
  if (!existsSync(home)) await fetchOnce(name, { home, packages: options.packages })
  return toolIn(home, name)
}

/** The same program where the server's user can run it. */
export function reachableTool(tool: Tool, server: ServerFolder): Tool {
  if (tool.home === undefined) return tool
  const home = reachableProgram(tool.home, server)
  return toolAt(home, join(home, relative(tool.home, tool.path)))
}

/** Two servers that start together need the same program: the second waits for the first. */
const fetching = new Map<string, Promise<void>>()

function fetchOnce(name: string, target: { home: string; packages: readonly string[] }) {
  const running = fetching.get(target.home)
  if (running !== undefined) return running
  const fetch = extractDebianPackages(name, target).finally(() => fetching.delete(target.home))
  fetching.set(target.home, fetch)
  return fetch
}

export function findInstalledTool(name: string): Tool | null {
  const path = searchFolders()
    .map((folder) => join(folder, name))
    .find(isProgram)
  return path === undefined ? null : { path, env: {} }
}

function toolIn(home: string, name: string): Tool {
  const path = ['usr/bin', 'usr/sbin', 'bin', 'sbin']
    .map((folder) => join(home, folder, name))
    .find(isProgram)
  if (path === undefined) {
    const sentence = `${name} was not found in ${home}: remove that folder and try again, or install ${name} yourself.`
    throw new MachineError('TOOL_MISSING', sentence)
  }
  return toolAt(home, path)
}

function toolAt(home: string, path: string): Tool {
  return { path, env: { LD_LIBRARY_PATH: libraryFolders(home).join(':') }, home }
}

function libraryFolders(home: string): string[] {
  return ['usr/lib', 'lib'].flatMap((folder) => {
    const path = join(home, folder)
    if (!existsSync(path)) return []
    const below = readdirSync(path).filter((entry) => entry.endsWith('-linux-gnu'))
    return [path, ...below.map((entry) => join(path, entry))]
  })
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(realpathSync(path)).isFile()
  } catch {
    return false
  }
}
