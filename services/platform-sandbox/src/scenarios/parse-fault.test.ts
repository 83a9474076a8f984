import { isProblem } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { parseFault } from './parse-fault.ts'

describe('parseFault', () => {
  it.each([
    ['down', { kind: 'down' }],
    ['down=reset', { kind: 'down', reset: true }],
    ['slow=800', { kind: 'slow', delayMs: 800 }],
    ['slow', { kind: 'slow', delayMs: 2_000 }],
    ['hanging', { kind: 'hanging' }],
    ['lying', { kind: 'lying' }],
    ['flaky=50', { kind: 'flaky', failPercent: 50 }],
    ['flaky', { kind: 'flaky', failPercent: 50 }],
    [' flaky=1 ', { kind: 'flaky', failPercent: 1 }],
  ])('reads %s', (scenario, fault) => {
    expect(parseFault(scenario)).toEqual(fault)
  })

  it.each(['', 'price-up', 'sold-out', 'downtown', 'DOWN', 'slow 800', 'constructor'])(
    'leaves %s to the modules',
    (scenario) => {
      expect(parseFault(scenario)).toBeUndefined()
    },
  )

  it.each([
    'slow=0',
    'slow=30001',
    'slow=soon',
    'flaky=0',
    'flaky=101',
    'down=hard',
    'hanging=5',
    'lying=a',
  ])('rejects %s, a misspelt fault', (scenario) => {
    expect(() => parseFault(scenario)).toThrow(
      expect.toSatisfy(
        (error) => isProblem(error) && error.code === 'MELMASTOON.GENERAL.VALIDATION_FAILED',
      ),
    )
  })
})
