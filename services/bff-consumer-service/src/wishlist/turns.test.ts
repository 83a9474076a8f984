import { latch } from '@melmastoon/testkit'
import { expect, it } from 'vitest'
import { Turns } from './turns.ts'

it('lets those with one key in one after the other, in their order', async () => {
  const turns = new Turns()
  const gate = latch()
  const seen: string[] = []
  const first = turns.take('a', async () => {
    await gate.promise
    seen.push('first')
  })
  const second = turns.take('a', async () => void seen.push('second'))
  await turns.take('b', async () => void seen.push('other'))
  expect(seen).toEqual(['other'])
  gate.open()
  await Promise.all([first, second])
  expect(seen).toEqual(['other', 'first', 'second'])
})

it('is not stopped by one that fails, which hears of it', async () => {
  const turns = new Turns()
  const failing = turns.take('a', () => Promise.reject(new TypeError('broken')))
  const next = turns.take('a', async () => 'served')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('served')
})
