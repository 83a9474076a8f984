import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { CpuTime } from './cpu-time.ts'
import { readProcess } from './process-stat.ts'

/** Some hundredths of a second in a shell. */
const BURN = 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'
const BURN_MIN_US = 30_000

type Shell = ChildProcessByStdio<Writable, Readable, null>

const started: Shell[] = []
afterEach(() => {
  for (const shell of started.splice(0)) shell.kill('SIGKILL')
})

function startShell() {
  const shell = spawn('sh', [], { stdio: ['pipe', 'pipe', 'ignore'] })
  started.push(shell)
  const pid = shell.pid ?? Number.NaN
  /** The first output of a command. */
  const run = async (command: string) => {
    shell.stdin.write(`${command}\n`)
    const [output] = (await once(shell.stdout, 'data')) as [Buffer]
    return output.toString().trim()
  }
  return { shell, pid, run }
}

describe('CpuTime', () => {
  it('counts a process that started and ended between two readings', async () => {
    const { pid, run } = startShell()
    const cpu = new CpuTime(pid)
    const before = cpu.readUs()
    await run(`sh -c '${BURN}'; echo ended`)
    expect(cpu.readUs() - before).toBeGreaterThan(BURN_MIN_US)
    // Control: the processes that run now have not used it.
    expect(readProcess(pid)?.ticksUs).toBeLessThan(BURN_MIN_US)
  })

  it('counts a process once, whether it runs or has ended', async () => {
    const { pid, run } = startShell()
    const cpu = new CpuTime(pid)
    const before = cpu.readUs()
    await run(`sh -c '${BURN}; echo burnt; exec sleep 60' &`)
    const running = cpu.readUs() - before
    expect(running).toBeGreaterThan(BURN_MIN_US)
    await run('kill $!; wait $!; echo ended')
    const ended = cpu.readUs() - before
    expect(ended).toBeGreaterThanOrEqual(running)
    expect(ended).toBeLessThan(running + BURN_MIN_US)
  })

  it('keeps the last reading of a process that nobody waited for', async () => {
    const { shell, pid, run } = startShell()
    await run(`sh -c '${BURN}; echo burnt; exec sleep 60' &`)
    const orphan = Number(await run('echo $!'))
    const cpu = new CpuTime(pid)
    const before = cpu.readUs()
    expect(before).toBeGreaterThan(BURN_MIN_US)
    shell.kill('SIGKILL')
    await once(shell, 'exit')
    expect(cpu.readUs()).toBeGreaterThanOrEqual(before)
    process.kill(orphan, 'SIGKILL')
    expect(cpu.readUs()).toBeGreaterThanOrEqual(before)
    // Control: of the processes that run now nothing is left.
    expect(new CpuTime(pid).readUs()).toBe(0)
  })
})
