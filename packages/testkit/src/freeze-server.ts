import { readdirSync, readFileSync } from 'node:fs'

/**
 * Stops a server and its child processes by SIGSTOP until disposed: connections stay open, new ones
 * are accepted by the kernel, and nothing responds.
 */
export function freezeServer(pid: number): Disposable {
  // The parent first, so that it cannot start another child.
  process.kill(pid, 'SIGSTOP')
  const pids = [pid, ...childrenOf(pid)]
  for (const child of pids.slice(1)) process.kill(child, 'SIGSTOP')
  return {
    [Symbol.dispose]() {
      for (const stopped of pids.toReversed()) process.kill(stopped, 'SIGCONT')
    },
  }
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => parentOf(pid) === parent)
}

/** The second field may contain spaces and parentheses: the parent follows the last one. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}
