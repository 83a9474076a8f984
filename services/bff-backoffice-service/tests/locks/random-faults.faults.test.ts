import { expect, it } from 'vitest'
import { checkAudit, startSimulation } from './simulation/simulate.ts'

/** `LOCK_FAULTS` makes the test shorter. */
const FAULTS = Number(process.env['LOCK_FAULTS'] ?? 10_000)
const GUESTS = 50

it('STAFF-LOCK-11 10,000 random faults: every command has a complete audit', async () => {
  const seed = Number(process.env['SIMULATION_SEED'] ?? '11')
  await using simulation = await startSimulation({ seed })
  const { played } = simulation.parts.lock
  const count = () =>
    [...played].reduce((sum, [kind, times]) => sum + (kind === 'done' ? 0 : times), 0)
  const startedMs = performance.now()
  while (count() < FAULTS) {
    const reservations = await simulation.run({ guests: GUESTS, steps: 12 })
    const mistakes = await checkAudit(simulation, reservations)
    expect(mistakes, `seed ${seed}, ${count()} faults`).toEqual([])
    const seconds = (performance.now() - startedMs) / 1_000
    process.stdout.write(`${count()} of ${FAULTS} faults in ${seconds.toFixed(0)} s\n`)
  }
  // Everything once more: what has been checked must not have changed since.
  expect(await checkAudit(simulation), `seed ${seed}, all`).toEqual([])
  expect(count()).toBeGreaterThanOrEqual(FAULTS)
  process.stdout.write(`${JSON.stringify(Object.fromEntries(played))}\n`)
}, 1_800_000)
