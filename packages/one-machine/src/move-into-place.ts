import { existsSync, renameSync, rmSync } from 'node:fs'

/** Two processes may prepare the same folder at once: the first one wins, the second one's goes. */
export function moveIntoPlace(staging: string, home: string): void {
  try {
    renameSync(staging, home)
  } catch (error) {
    rmSync(staging, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}
