import { eventually, testRedis } from '@melmastoon/testkit'
import { expect, it } from 'vitest'
import { createRedisStreamsBus, PoisonMessage } from '../../src/bus/index.ts'
import { createRedis } from '../../src/redis/index.ts'

const SUBJECT = 'melmastoon.example.replayed.v1'
const NAME = `example-dlq.${SUBJECT}`

it('D32 counts dead letters, and delivers them again on request', async () => {
  const { sessionUrl } = await testRedis()
  const redis = createRedis(sessionUrl, { name: 'bus', onError: () => undefined })
  await using bus = createRedisStreamsBus({ redis })
  const received: string[] = []
  let isBroken = true
  await bus.subscribe(
    { subscription: 'sub', subjects: [SUBJECT], deadLetterName: () => NAME },
    async ({ eventId }) => {
      if (isBroken) throw new PoisonMessage('cannot be read')
      received.push(eventId)
    },
  )
  const message = (eventId: string) => ({
    eventId,
    subject: SUBJECT,
    orderingKey: eventId,
    body: '{}',
    attributes: {},
  })
  await bus.publish(['a', 'b', 'c'].map(message))
  await eventually(async () => expect(await bus.deadLetters?.depth(NAME)).toBe(3))
  isBroken = false
  expect(await bus.deadLetters?.replay({ name: NAME, subject: SUBJECT, limit: 2 })).toBe(2)
  expect(await bus.deadLetters?.depth(NAME)).toBe(1)
  expect(await bus.deadLetters?.replay({ name: NAME, subject: SUBJECT, limit: 10 })).toBe(1)
  await eventually(() => expect(received.toSorted()).toEqual(['a', 'b', 'c']))
  expect(await bus.deadLetters?.depth(NAME)).toBe(0)
  redis.disconnect()
})
