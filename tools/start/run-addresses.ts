import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { supervisorOf } from '../bootstrap/running-supervisor.mjs'

/** The ports of the running product: a program of another clone may listen on the same ones. */
export function recordPorts(runFolder: string, ports: readonly number[]): void {
  writeFileSync(fileIn(runFolder), JSON.stringify(ports))
}

/** Whether the product that runs from this data folder listens on the port. */
export function isServedFrom(dataFolder: string, port: number): boolean {
  return supervisorOf(dataFolder) !== null && readPorts(join(dataFolder, 'run')).includes(port)
}

function readPorts(runFolder: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(readFileSync(fileIn(runFolder), 'utf8'))
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

const fileIn = (runFolder: string) => join(runFolder, 'ports.json')
