import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Guest, newKey } from './_client.ts'
import { type Site, startSite } from './_site.ts'

let site: Site

const wrongLines: [string, string[]][] = [
  ['empty', ['']],
  ['15 characters', ['k'.repeat(15)]],
  ['256 characters', ['k'.repeat(256)]],
  ['a tab inside', ['abcdefgh\tabcdefgh']],
  ['beyond ASCII', ['abcdefghé-abcdefgh']],
  ['two header lines', ['abcdefgh-abcdefgh', 'abcdefgh-abcdefgh']],
  ['joined by a comma', ['abcdefgh-abcdefgh, abcdefgh-abcdefgh']],
]

beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site[Symbol.asyncDispose]())

describe('the idempotency key of a request', () => {
  it('IDEM-01 is required: 400 with a stable type and a link to its description', async () => {
    const sent = await new Guest(site.base).send({})
    expect(sent.status).toBe(400)
    expect(sent.code).toBe('MELMASTOON.IDEMPOTENCY.KEY_MISSING')
    const { type } = JSON.parse(sent.text) as { type: string }
    expect(type).toBe('https://errors.melmastoon.ghasi.io/idempotency/key_missing')
    expect(sent.headers['link']).toBe(`<${type}>; rel="describedby"`)
    expect(site.upstream.calls).toHaveLength(0)
  })

  it.each(wrongLines)('IDEM-02 is rejected when %s', async (_name, lines) => {
    const sent = await new Guest(site.base).sendLines(lines)
    expect(sent.status).toBe(400)
    expect(JSON.parse(sent.text)).toMatchObject({ code: 'MELMASTOON.IDEMPOTENCY.KEY_INVALID' })
  })

  it('IDEM-02 is rejected with a control character, which only a raw socket can send', async () => {
    const response = await sendRaw(site.base, 'abcdefgh\u0001abcdefgh')
    expect(response).toMatch(/^HTTP\/1\.1 400 /)
    expect(response).toContain('application/problem+json')
  })

  it('IDEM-03 is the same key bare, quoted, and under its older name', async () => {
    const guest = new Guest(site.base)
    const key = newKey()
    const first = await guest.send({ key: `"${key}"` })
    const second = await guest.send({ key })
    const third = await guest.send({ headers: { 'X-Idempotency-Key': key } })
    expect([first.status, first.replayed]).toEqual([201, false])
    expect([second.replayed, second.text]).toEqual([true, first.text])
    expect([third.replayed, third.text]).toEqual([true, first.text])
  })

  it('is rejected when both names are sent and differ', async () => {
    const headers = { 'x-idempotency-key': newKey() }
    const sent = await new Guest(site.base).send({ key: newKey(), headers })
    expect([sent.status, sent.code]).toEqual([400, 'MELMASTOON.IDEMPOTENCY.KEY_INVALID'])
  })
})

function sendRaw(base: string, key: string): Promise<string> {
  const { port } = new URL(base)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`POST /notes HTTP/1.1\r\nHost: a\r\nIdempotency-Key: ${key}\r\n`)
  socket.write('Connection: close\r\nContent-Length: 0\r\n\r\n')
  return text(socket)
}
