export function runningSupervisor(root: string): number | null
export function supervisorOf(data: string): number | null
export function isAlive(pid: number): boolean
