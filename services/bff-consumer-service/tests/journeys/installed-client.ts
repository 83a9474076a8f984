import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { spawnProcess, temporaryFolder } from '@melmastoon/testkit'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const QUIET = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/** As strict as a project can be; the declarations of the package are checked as well. */
const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  noEmit: true,
}

export interface InstalledClient extends Disposable {
  /** Of the installed package. */
  readonly folder: string
  readonly files: readonly string[]
  write(name: string, text: string): void
  /** What the compiler reports, as `file:line`. */
  compile(mode: CompilerMode): Promise<string[]>
  /** The lines that a program prints. */
  execute(name: string): Promise<readonly string[]>
}

export interface CompilerMode {
  readonly module: string
  readonly moduleResolution: string
}

/** A project outside the repository with the tarball of `npm pack` and nothing else. */
export async function installClient(): Promise<InstalledClient> {
  const temporary = temporaryFolder()
  const project = join(temporary.path, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await run('npm', ['run', 'build', '-w', 'packages/client'], { cwd: root })
  const pack = ['pack', './packages/client/dist', '--pack-destination', temporary.path]
  await run('npm', [...pack, '--loglevel=error'], { cwd: root })
  const tarball = readdirSync(temporary.path).find((name) => name.endsWith('.tgz')) ?? ''
  await run('npm', ['install', ...QUIET, join(temporary.path, tarball)], { cwd: project })
  const folder = join(project, 'node_modules', '@melmastoon', 'client')
  return {
    folder,
    files: readdirSync(folder, { recursive: true, encoding: 'utf8' }),
    write: (name, text) => writeFileSync(join(project, name), text),
    compile: (mode) => compile(project, mode),
    execute: (name) => execute(project, name),
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  }
}

async function compile(project: string, mode: CompilerMode): Promise<string[]> {
  const config = { compilerOptions: { ...COMPILER_OPTIONS, ...mode }, include: ['*.ts'] }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
  const output = await run(process.execPath, [compiler, '--pretty', 'false'], {
    cwd: project,
  }).then(
    ({ stdout }) => stdout,
    (failure: { stdout?: string }) => failure.stdout ?? '',
  )
  const found = [...output.matchAll(/^(\S+)\((\d+),\d+\): error/gm)]
  return found.map(([, file, line]) => `${file}:${line}`)
}

async function execute(project: string, name: string): Promise<readonly string[]> {
  await using program = spawnProcess(join(project, name), { cwd: project })
  const { code } = await program.exited
  if (code !== 0) throw new Error(program.lines.join('\n'))
  return program.lines
}

/** The examples of a page in Markdown as one program. */
export function programOf(page: string): string {
  return [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code).join('\n')
}

export function readText(...path: string[]): string {
  return readFileSync(join(...path), 'utf8')
}
