import { expect, it } from 'vitest'
import { checkAudit, startSimulation } from './simulation/simulate.ts'

const FAULTS = 10_000
const GUESTS = 50

it('STAFF-LOCK-11 10,000 random faults: every command has a complete audit', async () => {
  const seed = Number(process.env['SIMULATION_SEED'] ?? '11')
  await using simulation = await startSimulation({ seed })
  const { played } = simulation.parts.lock
  const count = () =>
    [...played].reduce((sum, [kind, times]) => sum + (kind === 'done' ? 0 : times), 0)
  while (count() < FAULTS) {
    await simulation.run({ guests: GUESTS, steps: 12 })
    expect(await checkAudit(simulation), `seed ${seed}, ${count()} faults`).toEqual([])
  }
  process.stdout.write(`${JSON.stringify(Object.fromEntries(played))}\n`)
}, 1_800_000)
