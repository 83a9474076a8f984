import { describe, expect, it } from 'vitest'
import { type Decisions, replayedDecisions, seededDecisions } from './decisions.ts'
import { Scheduler, type SchedulerOptions } from './scheduler.ts'
import type { SimulatedProcess } from './simulated-process.ts'

/** Reads and writes in separate tasks: lost updates are possible. */
async function addOne(process: SimulatedProcess, counter: { value: number }): Promise<number> {
  const before = await process.task('read', async () => counter.value)
  return await process.task('write', async () => {
    counter.value = before + 1
    return counter.value
  })
}

interface Run {
  readonly decisions: Decisions
  readonly options?: Partial<SchedulerOptions>
}

async function runCounters({ decisions, options }: Run) {
  const counter = { value: 0 }
  const scheduler = new Scheduler({ decisions, ...options })
  const processes = ['a', 'b', 'c'].map((name) => scheduler.process(name))
  const activities = processes.map((process) =>
    process.spawn('add', () => addOne(process, counter)),
  )
  await scheduler.runToEnd()
  return { counter, scheduler, activities }
}

const seeds = Array.from({ length: 50 }, (_, seed) => seed)

describe('the scheduler', () => {
  it('repeats a history exactly, from the seed and from its decisions', async () => {
    for (const seed of seeds) {
      const decisions = seededDecisions(seed)
      const options = { crashOneIn: 8 }
      const first = await runCounters({ decisions, options })
      const second = await runCounters({ decisions: seededDecisions(seed), options })
      const third = await runCounters({ decisions: replayedDecisions(decisions.taken), options })
      expect(second.scheduler.traceHash()).toBe(first.scheduler.traceHash())
      expect(third.scheduler.trace).toEqual(first.scheduler.trace)
    }
  })

  it('reaches different orders with different seeds', async () => {
    const results = new Set<number>()
    const hashes = new Set<string>()
    for (const seed of seeds) {
      const { counter, scheduler } = await runCounters({ decisions: seededDecisions(seed) })
      results.add(counter.value)
      hashes.add(scheduler.traceHash())
    }
    expect(results).toEqual(new Set([1, 2, 3]))
    expect(hashes.size).toBeGreaterThan(25)
  })

  it('runs one task at a time, also when a task takes several turns', async () => {
    const scheduler = new Scheduler({ decisions: seededDecisions(7) })
    let running = 0
    let most = 0
    const slow = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 2))
      running -= 1
    }
    for (const name of ['a', 'b', 'c']) {
      const process = scheduler.process(name)
      process.spawn('work', async () => {
        await Promise.all([process.task('first', slow), process.task('second', slow)])
      })
    }
    await scheduler.runToEnd()
    expect([most, scheduler.trace.length]).toEqual([1, 9])
  })

  it('advances its clock to the next timer', async () => {
    const scheduler = new Scheduler({ decisions: replayedDecisions([]) })
    const process = scheduler.process('a')
    const woken: number[] = []
    process.spawn('wait', async () => {
      await process.sleep(86_400_000)
      woken.push(scheduler.clock.monotonicMs())
    })
    await scheduler.runFor(60_000)
    expect([woken, scheduler.clock.monotonicMs()]).toEqual([[], 60_000])
    await scheduler.runToEnd()
    expect(woken).toEqual([86_400_000])
  })

  it('reports an activity that waits for something that is no task', async () => {
    const scheduler = new Scheduler({ decisions: seededDecisions(1) })
    const process = scheduler.process('a')
    process.spawn('lost', () => new Promise(() => undefined))
    await expect(scheduler.runToEnd()).rejects.toThrow('a: lost')
  })

  it('F11 reports a call inside a transaction, even if the code ignores the error', async () => {
    const scheduler = new Scheduler({ decisions: seededDecisions(1) })
    const process = scheduler.process('a')
    const transaction = async () => {
      await process.task('payment.getIntent', async () => undefined).catch(() => undefined)
    }
    process.spawn('wrong', () => process.task('transaction', transaction, { isTransaction: true }))
    await expect(scheduler.runToEnd()).rejects.toThrow('F11: payment.getIntent')
  })
})

describe('a crash', () => {
  const crashAt = async (choice: number) => {
    const effects: string[] = []
    const crashed: string[] = []
    const scheduler = new Scheduler({
      // start: order, crash, duration; effect: order, crash.
      decisions: replayedDecisions([0, 0, 0, 0, choice]),
      crashOneIn: 3,
      onCrash: ({ name }) => crashed.push(name),
    })
    const process = scheduler.process('a')
    const activity = process.spawn('work', async () => {
      try {
        await process.task('effect', async () => effects.push('effect'))
        effects.push('continued')
      } finally {
        effects.push('cleaned up')
      }
    })
    await scheduler.runToEnd()
    return { effects, crashed, status: activity.outcome().status, trace: scheduler.trace }
  }

  it('before a task prevents its effect and everything after it', async () => {
    const { effects, crashed, status, trace } = await crashAt(1)
    expect([effects, crashed, status]).toEqual([[], ['a'], 'crashed'])
    expect(trace.at(-1)).toMatchObject({ label: 'effect', outcome: 'crash before' })
  })

  it('after a task keeps its effect and prevents everything after it', async () => {
    const { effects, status, trace } = await crashAt(2)
    expect([effects, status]).toEqual([['effect'], 'crashed'])
    expect(trace.at(-1)).toMatchObject({ label: 'effect', outcome: 'ok, crash after' })
  })

  it('does not happen with other decisions', async () => {
    const { effects, status } = await crashAt(0)
    expect([effects, status]).toEqual([['effect', 'continued', 'cleaned up'], 'done'])
  })

  it('stops the pending tasks of its process only, and no message in flight', async () => {
    const done: string[] = []
    const scheduler = new Scheduler({ decisions: seededDecisions(3) })
    const [a, b] = [scheduler.process('a'), scheduler.process('b')]
    a.spawn('work', () => a.task('of a', async () => done.push('a'), { delayMs: 10 }))
    b.spawn('work', () => b.task('of b', async () => done.push('b'), { delayMs: 10 }))
    scheduler.deliver('message', async () => done.push('message'), 20)
    await scheduler.runFor(5)
    a.crash()
    await scheduler.runToEnd()
    expect(done.toSorted()).toEqual(['b', 'message'])
  })
})
