import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'
import type { Tool } from '@melmastoon/one-machine'

/** The kind of machine, without anything that identifies it. */
export function describeMachine(): string {
  const gib = Math.round(totalmem() / 1024 ** 3)
  const model = cpus()[0]?.model.replace(/\s+/g, ' ').trim() ?? 'unknown processor'
  const kernel = release().split('-')[0]
  return `${availableParallelism()} cores (${model}), ${gib} GiB, Linux ${kernel}`
}

export function load(): number {
  return loadavg()[0] ?? Number.NaN
}

/** Above this load other programs share the cores, and only large differences are significant. */
export const QUIET_LOAD = 0.7

export function versionOf(tool: Tool, flag: string): string {
  try {
    const options = { env: tool.env, stdio: ['ignore', 'pipe', 'pipe'] as const, timeout: 5_000 }
    const text = execFileSync(tool.path, [flag], { ...options, stdio: [...options.stdio] })
    return /\d+\.\d+(?:\.\d+)?/.exec(text.toString())?.[0] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}
