import { describe, expect, it } from 'vitest'
import { chooseJob } from './choose-job.ts'

const known = [
  { service: 'guest', jobs: ['prune-outbox', 'sweep-drafts'] },
  { service: 'staff', jobs: ['prune-outbox', 'export-audit'] },
]

describe('chooseJob', () => {
  it('accepts a service and name, or a name that only one service has', () => {
    const chosen = { service: 'staff', job: 'prune-outbox' }
    expect(chooseJob(['staff', 'prune-outbox'], known)).toEqual(chosen)
    const only = { service: 'guest', job: 'sweep-drafts' }
    expect(chooseJob(['sweep-drafts'], known)).toEqual(only)
  })

  it('lists when no job is named', () => {
    expect(chooseJob([], known)).toBeNull()
    expect(chooseJob(['guest'], known)).toBeNull()
  })

  it.each([
    [['prune-outbox'], 'guest and staff each have a job prune-outbox'],
    [['nothing'], 'There is no job nothing. Known: prune-outbox, sweep-drafts'],
    [['guest', 'export-audit'], 'There is no job export-audit. Known: prune-outbox, sweep-drafts.'],
    [['missing', 'prune-outbox'], 'There is no service missing'],
  ])('rejects %j', (words, message) => {
    expect(() => chooseJob(words, known)).toThrow(message)
  })
})
