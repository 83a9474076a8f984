import { expect, it } from 'vitest'
import { createDatabase } from '../../src/db/index.ts'
import { runOutboxCommand } from '../../src/outbox/index.ts'
import { type OutboxEnvironment, outboxEnvironment } from './outbox-environment.ts'
import { note } from './outbox-schema.ts'

/** Opens the database for every command, as a program does. */
function operator({ database }: OutboxEnvironment) {
  const run = async (...words: string[]) => {
    const lines: string[] = []
    const open = () => {
      const db = createDatabase({ url: database.relayUrl, poolMax: 1, onError: () => undefined })
      return { db, [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() }
    }
    const print = (line: string) => void lines.push(line)
    return { exitCode: await runOutboxCommand(words, { open, print }), lines }
  }
  return run
}

it('P4 lists dead events, retries them, and replays published events', async () => {
  await using env = await outboxEnvironment()
  const run = operator(env)
  const [good, bad] = [note('note-1', 0), note('note-2', 0)]
  await env.append(good, bad)
  const rejected = new Set([bad.eventId])
  const validate = (message: unknown) => {
    const text = JSON.stringify(message)
    if ([...rejected].some((eventId) => text.includes(eventId))) throw new Error('broken')
  }
  const relay = env.relay({ validate })
  await relay.drainOnce()

  expect(JSON.parse((await run('depth')).lines[0] ?? '')).toMatchObject({ depth: 0, dead: 1 })
  const dead = await run('dead')
  expect(dead.lines.map((line) => JSON.parse(line))).toMatchObject([
    { eventId: bad.eventId, subject: bad.subject, attempts: 1 },
  ])
  expect(dead.lines.join()).not.toContain('payload')

  const replayed = await run('replay', bad.eventId, 'evt_unknown', good.eventId)
  expect(replayed.exitCode).toBe(1)
  expect(replayed.lines).toHaveLength(3)
  expect((await run('dead')).lines).toEqual([])
  rejected.clear()
  await relay.drainOnce()
  expect((await env.arrivals()).map((each) => each.eventId).toSorted()).toEqual(
    [good.eventId, good.eventId, bad.eventId].toSorted(),
  )
  expect((await run('replay-since', '2020-01-01T00:00:00Z')).lines[0]).toMatch(/^2 events/)
})

it.each([[[]], [['replay']], [['replay-since', 'yesterday']], [['dead', 'x']], [['prune']]])(
  'P4 explains itself and opens nothing for %j',
  async (words) => {
    const open = () => {
      throw new Error('opened')
    }
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    expect(await runOutboxCommand(words, { open, print })).toBe(2)
    expect(lines[0]).toContain('replay <eventId>')
  },
)
