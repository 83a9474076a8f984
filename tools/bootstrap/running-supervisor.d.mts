export function runningSupervisor(root: string): number | null
export function isAlive(pid: number): boolean
