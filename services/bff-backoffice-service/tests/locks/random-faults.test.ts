import { expect, it } from 'vitest'
import { callFirst } from './call-first.ts'
import { FAULTS } from './simulation/faulty-lock.ts'
import { checkAudit, startSimulation } from './simulation/simulate.ts'

it('STAFF-LOCK-11 random faults, short form: every command has a complete audit', async () => {
  const seed = Date.now() % 1_000_000
  await using simulation = await startSimulation({ seed })
  await simulation.run({ guests: 40, steps: 8 })
  expect(await checkAudit(simulation), `seed ${seed}`).toEqual([])
  expect(simulation.parts.lock.played.size, 'kinds of faults').toBeGreaterThan(FAULTS.length / 2)
})

it('STAFF-LOCK-11 control: the check finds commands that are sent before their row', async () => {
  await using simulation = await startSimulation({ seed: 1, controls: { begin: callFirst } })
  await simulation.run({ guests: 5, steps: 3 })
  expect((await checkAudit(simulation)).join()).toContain('the command came before its row')
})
