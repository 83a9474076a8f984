import { latch } from '@melmastoon/testkit'
import { expect, it } from 'vitest'
import { KeyedMutex } from './keyed-mutex.ts'

it('runs work of one key one after the other, in the order of the calls', async () => {
  const mutex = new KeyedMutex()
  const gate = latch()
  const seen: string[] = []
  const first = mutex.runExclusive('a', async () => {
    await gate.promise
    seen.push('first')
  })
  const second = mutex.runExclusive('a', async () => void seen.push('second'))
  await mutex.runExclusive('b', async () => void seen.push('other'))
  expect(seen).toEqual(['other'])
  gate.open()
  await Promise.all([first, second])
  expect(seen).toEqual(['other', 'first', 'second'])
})

it('continues after a failure, which only its caller receives', async () => {
  const mutex = new KeyedMutex()
  const failing = mutex.runExclusive('a', () => Promise.reject(new TypeError('broken')))
  const next = mutex.runExclusive('a', async () => 'served')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('served')
})
