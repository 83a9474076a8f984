import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { clientStamp } from '@melmastoon/testkit/contracts'
import { StartError } from '../start/messages.ts'

const run = promisify(execFile)
const MAX_BYTES = 32 * 1024 * 1024

export interface ClientGenerator {
  generate(openApiFile: string): Promise<string>
}

/** The generator is a separate project, installed on first use. */
export async function openClientGenerator(root: string): Promise<ClientGenerator> {
  const folder = join(root, 'tools', 'openapi-client')
  const program = join(folder, 'node_modules', 'openapi-typescript', 'bin', 'cli.js')
  if (!isInstalled(folder, program)) await install(folder)
  return {
    async generate(openApiFile) {
      const args = [program, openApiFile, '--default-non-nullable', 'false']
      const options = { cwd: folder, maxBuffer: MAX_BYTES }
      const { stdout } = await run(process.execPath, args, options)
      return `${clientStamp(readFileSync(openApiFile, 'utf8'))}\n${stdout}`
    },
  }
}

function isInstalled(folder: string, program: string): boolean {
  if (!existsSync(program)) return false
  const { dependencies } = readJson(join(folder, 'package.json'))
  return Object.entries(dependencies ?? {}).every(
    ([name, version]) =>
      readJson(join(folder, 'node_modules', name, 'package.json')).version === version,
  )
}

interface Manifest {
  version?: string
  dependencies?: Record<string, string>
}

function readJson(path: string): Manifest {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : {}
}

async function install(folder: string): Promise<void> {
  console.log('… installing the generator of client types, once')
  const child = spawn('npm', ['ci', '--prefer-offline', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) {
    throw new StartError('npm could not install tools/openapi-client: is there a network?')
  }
}
