import { expect, it } from 'vitest'
import { WEBHOOK_TIMES } from './webhook-times.ts'

it('retries for at least an hour, even with the shortest jitter', () => {
  const { attemptsMax, backOffSeconds, backOffMaxSeconds } = WEBHOOK_TIMES
  const waits = Array.from({ length: attemptsMax - 1 }, (_, attempts) =>
    Math.min(backOffMaxSeconds, backOffSeconds * 2 ** attempts),
  )
  expect(waits.reduce((sum, wait) => sum + wait / 2, 0)).toBeGreaterThan(3_600)
})

it('leases a webhook for longer than sending it takes', () => {
  expect(WEBHOOK_TIMES.leaseSeconds * 1_000).toBeGreaterThan(WEBHOOK_TIMES.sendMs)
})
