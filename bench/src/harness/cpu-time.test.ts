import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { CpuTime } from './cpu-time.ts'
import { readProcess } from './process-stat.ts'

const BURN_US = 200_000
const BURN = `while (process.cpuUsage().user < ${BURN_US}) {}`

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** Evaluates each line that it receives, then reports on its output. */
function startParent(): ChildProcess & { ask(code: string): Promise<string> } {
  const program = `
    const { spawn } = require('node:child_process')
    const lines = require('node:readline').createInterface({ input: process.stdin })
    lines.on('line', async (line) => console.log(String(await eval(line))))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  started.push(child)
  const ask = async (code: string) => {
    child.stdin.write(`${code}\n`)
    const [answer] = (await once(child.stdout, 'data')) as [Buffer]
    return answer.toString().trim()
  }
  return Object.assign(child, { ask })
}

const spawnBurning = (tail: string) =>
  `(globalThis.child = spawn(process.execPath, ['-e', ${JSON.stringify(BURN + tail)}], ` +
  `{ stdio: ['pipe', 'pipe', 'inherit'] }))`
const ENDED = `new Promise((resolve) => child.once('exit', resolve))`
const BURNT = `new Promise((resolve) => child.stdout.once('data', resolve)).then(() => child.pid)`
/** Says that it has burnt, and waits for its end. */
const AND_WAIT = `; console.log('burnt'); process.stdin.resume()`

describe('CpuTime', () => {
  it('counts a process that started and ended between two readings', async () => {
    const parent = startParent()
    await parent.ask('1')
    const cpu = new CpuTime(parent.pid ?? 0)
    const before = cpu.readUs()
    const alone = readProcess(parent.pid ?? 0)?.usedUs ?? Number.NaN
    await parent.ask(`${spawnBurning('')}, ${ENDED}`)
    expect(cpu.readUs() - before).toBeGreaterThan(BURN_US * 0.9)
    // Control: without those that have ended there is nothing to see.
    const aloneAfter = readProcess(parent.pid ?? 0)?.usedUs ?? Number.NaN
    expect(aloneAfter - alone).toBeLessThan(BURN_US * 0.9)
  })

  it('counts a process once, whether it runs or has ended', async () => {
    const parent = startParent()
    await parent.ask('1')
    const cpu = new CpuTime(parent.pid ?? 0)
    const before = cpu.readUs()
    await parent.ask(`${spawnBurning(AND_WAIT)}, ${BURNT}`)
    const running = cpu.readUs() - before
    expect(running).toBeGreaterThan(BURN_US * 0.9)
    await parent.ask(`child.stdin.end(), ${ENDED}`)
    const ended = cpu.readUs() - before
    expect(ended).toBeGreaterThan(running * 0.9)
    expect(ended).toBeLessThan(running + BURN_US * 0.9)
  })

  it('keeps the last reading of a process that nobody waited for', async () => {
    const parent = startParent()
    const burnt = await parent.ask(`${spawnBurning(AND_WAIT)}, ${BURNT}`)
    const cpu = new CpuTime(parent.pid ?? 0)
    const before = cpu.readUs()
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    // Its orphan ends with its input.
    while (readProcess(Number(burnt)) !== null) await new Promise((next) => setTimeout(next, 10))
    expect(cpu.readUs()).toBeGreaterThanOrEqual(before)
    expect(before).toBeGreaterThan(BURN_US * 0.9)
  })
})
