import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { packageToolEnvironment } from '../config/environment.ts'
import { MachineError } from '../machine-error.ts'
import { errorCode } from '../process-state.ts'
import { type CommandResult, runCommand } from '../run-command.ts'
import { moveIntoPlace } from '../server-folder.ts'

const acquireOptions = ['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=1']

/**
 * Downloads packages with apt-get, which verifies them against the signed lists, and unpacks them
 * into `home` without installing anything. Does not require root.
 */
export async function extractDebianPackages(
  name: string,
  target: { home: string; packages: readonly string[] },
): Promise<void> {
  const staging = `${target.home}.new-${randomUUID()}`
  const downloads = join(staging, '.packages')
  mkdirSync(downloads, { recursive: true })
  try {
    await download(name, { folder: downloads, packages: target.packages })
    await unpack(name, { downloads, staging })
    rmSync(downloads, { recursive: true })
    moveIntoPlace(staging, target.home)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

interface Download {
  readonly folder: string
  readonly packages: readonly string[]
}

/** The package lists of the machine may be missing (a new container) or outdated (404). */
async function download(name: string, request: Download): Promise<void> {
  const first = await downloadWith([], name, request)
  if (first.exitCode === 0) return
  const lists = process.getuid?.() === 0 ? [] : privateLists(request.folder)
  const update = await aptGet([...lists, 'update'], { name, folder: request.folder })
  const second = await downloadWith(lists, name, request)
  if (second.exitCode === 0) return
  throw downloadFailed(name, `${update.output}\n${second.output}`)
}

async function downloadWith(
  lists: readonly string[],
  name: string,
  request: Download,
): Promise<CommandResult> {
  const place = { name, folder: request.folder }
  const missing = await missingLibraries([...lists], { ...request, name })
  const packages = [...new Set([...request.packages, ...missing])]
  return aptGet([...lists, 'download', ...packages], place)
}

/**
 * A minimal system may lack more libraries than the packages named: a simulated install lists them.
 */
async function missingLibraries(
  lists: readonly string[],
  request: Download & { name: string },
): Promise<string[]> {
  const words = ['--simulate', '--no-install-recommends', 'install', ...request.packages]
  const result = await aptGet([...lists, ...words], request)
  const wanted = [...result.output.matchAll(/^Inst (lib\S+)/gm)].map((match) => match[1] ?? '')
  return result.exitCode === 0 ? wanted : []
}

/** Only root may refresh the system's package lists; other users have private ones. */
function privateLists(folder: string): string[] {
  const apt = join(folder, 'apt')
  mkdirSync(join(apt, 'lists/partial'), { recursive: true })
  mkdirSync(join(apt, 'cache/archives/partial'), { recursive: true })
  return ['-o', `Dir::State::Lists=${apt}/lists`, '-o', `Dir::Cache=${apt}/cache`]
}

async function aptGet(
  args: readonly string[],
  place: { name: string; folder: string },
): Promise<CommandResult> {
  const options = { env: packageToolEnvironment(), cwd: place.folder, timeoutMs: 180_000 }
  try {
    return await runCommand('apt-get', ['--yes', '--quiet', ...acquireOptions, ...args], options)
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT') throw cause
    const sentence = `${place.name} is not installed and this system has no apt-get to fetch it with: install ${place.name} and try again.`
    throw new MachineError('TOOL_MISSING', sentence, { cause })
  }
}

async function unpack(name: string, from: { downloads: string; staging: string }): Promise<void> {
  for (const file of readdirSync(from.downloads).filter((entry) => entry.endsWith('.deb'))) {
    const args = ['-x', join(from.downloads, file), from.staging]
    const result = await runCommand('dpkg-deb', args, { env: packageToolEnvironment() })
    if (result.exitCode === 0) continue
    const sentence = `${file} could not be unpacked for ${name}: check the free space below ${from.staging} and try again.`
    throw new MachineError('NOT_WRITABLE', sentence, { cause: result.output })
  }
}

function downloadFailed(name: string, output: string): MachineError {
  if (/resolv|connect|timed out|time-?out|unreachable|Failed to fetch|No route/i.test(output)) {
    const sentence = `${name} is not installed and could not be downloaded: connect this machine to its Debian mirror once, or install ${name} yourself.`
    return new MachineError('NO_NETWORK', sentence, { cause: output })
  }
  const sentence = `${name} is not installed and this system's package sources do not offer it: install ${name} and try again.`
  return new MachineError('TOOL_MISSING', sentence, { cause: output })
}
