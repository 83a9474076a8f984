import { newId } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { InitialSessions } from './initial-sessions.ts'

function start() {
  const sessions = new InitialSessions<{ agent: string }, 'gms'>()
  const unstored = { id: newId('gms'), version: 0, data: null }
  let derived = 0
  const withData = (agent: string, initialFrom?: readonly unknown[], known = unstored) =>
    sessions.withData(known, {
      initialData() {
        derived += 1
        return { agent }
      },
      ...(initialFrom && { initialFrom }),
    })
  return { sessions, unstored, withData, derived: () => derived }
}

it('is derived once from the same values', () => {
  const { withData, derived } = start()
  const first = withData('one', ['one', undefined])
  expect(withData('one', ['one', undefined])).toBe(first)
  expect(derived()).toBe(1)
})

it('is derived again from other values, and each time without any', () => {
  const { withData, derived } = start()
  withData('one', ['one'])
  expect(withData('two', ['two']).data).toEqual({ agent: 'two' })
  expect(withData('three', ['two', 'three']).data).toEqual({ agent: 'three' })
  withData('four')
  expect(withData('five').data).toEqual({ agent: 'five' })
  expect(derived()).toBe(5)
})

it('is derived each time from a long header', () => {
  const { withData, derived } = start()
  const long = 'x'.repeat(513)
  for (let turn = 0; turn < 2; turn += 1) withData(long, [long])
  expect(derived()).toBe(2)
})

it('is one per session', () => {
  const { withData, unstored } = start()
  const other = { ...unstored, id: newId('gms') }
  const [first, second] = [withData('one', ['one']), withData('one', ['one'], other)]
  expect([first.id, second.id]).toEqual([unstored.id, other.id])
})

it('is not derived where data is stored', () => {
  const { sessions, unstored } = start()
  const stored = { ...unstored, version: 1, data: { agent: 'stored' } }
  const initialData = () => ({ agent: 'derived' })
  expect(sessions.withData(stored, { initialData, initialFrom: [] })).toBe(stored)
})
