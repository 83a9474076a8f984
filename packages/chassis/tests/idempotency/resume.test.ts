import { eventually, latch } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Guest, newKey } from './_client.ts'
import { allNotes } from './_database.ts'
import { type Site, startSite } from './_site.ts'

let site: Site
let guest: Guest
let key: string

beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site[Symbol.asyncDispose]())
beforeEach(() => {
  guest = new Guest(site.base)
  key = newKey()
  site.upstream.mode = 'responds'
  site.upstream.gate = Promise.resolve()
  site.upstream.calls.length = 0
  site.upstream.lookups.length = 0
  site.upstream.holds.clear()
})

describe('work that did not finish', () => {
  it('IDEM-15 calls the upstream again with the same derived key after its failure', async () => {
    site.upstream.mode = 'fails'
    const failed = await guest.send({ key })
    expect([failed.status, failed.code]).toEqual([503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'])
    site.upstream.mode = 'responds'
    const retried = await guest.send({ key })
    expect([retried.status, retried.headers['x-attempt']]).toEqual([201, '2'])
    const [first, second] = site.upstream.calls
    expect(first?.key).toMatch(/^[\w-]{43}$/)
    expect(second?.key).toBe(first?.key)
    expect(first?.key).not.toContain(key)
  })

  it('IDEM-16 looks up the result of a call that timed out', async () => {
    const impatient = guest.at(await site.listen({ leaseMs: 800 }))
    site.upstream.mode = 'times_out'
    const late = await impatient.send({ key })
    expect([late.status, late.code]).toEqual([504, 'MELMASTOON.GENERAL.DEADLINE_EXCEEDED'])
    site.upstream.mode = 'responds'
    const retried = await impatient.send({ key })
    expect(retried.status).toBe(201)
    expect(JSON.parse(retried.text)).toMatchObject({ hold: 'hold-1' })
    expect(site.upstream.calls).toHaveLength(1)
    expect(site.upstream.lookups).toEqual([site.upstream.calls[0]?.key])
    expect(site.upstream.holds.size).toBe(1)
  })

  it('IDEM-22 continues when the client disconnects, and its retry gets the result', async () => {
    const before = (await allNotes(site.fixture)).length
    const gate = latch()
    site.upstream.gate = gate.promise
    const client = new AbortController()
    const lost = guest.send({ key, signal: client.signal })
    await site.upstream.callsReach(1)
    client.abort()
    await expect(lost).rejects.toThrow('aborted')
    expect((await guest.send({ key })).status).toBe(409)
    gate.open()
    const retried = await eventually(async () => {
      const sent = await guest.send({ key })
      expect(sent.status).toBe(201)
      return sent
    })
    expect([retried.replayed, retried.headers['x-attempt']]).toEqual([true, '1'])
    expect(site.upstream.calls).toHaveLength(1)
    expect((await allNotes(site.fixture)).length).toBe(before + 1)
  })
})
