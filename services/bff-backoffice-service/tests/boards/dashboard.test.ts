import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMovedClock } from '../harness/moved-clock.ts'
import { type Staff, signIn } from '../harness/staff.ts'
import { type Backoffice, startWithSandbox } from '../harness/start-backoffice.ts'

interface Line {
  readonly type: string
  readonly id?: string
  readonly status?: string
  readonly complete?: boolean
  readonly source?: string
  readonly ageMs?: number
  readonly data?: unknown
}

const clock = createMovedClock()
let office: Backoffice
let manager: Staff
let propertyId: string

beforeAll(async () => {
  // The call itself would last longer than the test waits for its end.
  const upstreamMs = { maintenance: 10_000 }
  const overrides = { clock, widgetMs: 500, halfOpenAfterMs: 50, upstreamMs }
  office = await startWithSandbox({ withFaults: true, overrides })
  manager = await signIn(office, 'manager')
  propertyId = await manager.propertyId()
})
/** All upstreams respond, and no circuit is open. */
beforeEach(async () => {
  office.faults.clear()
  await eventually(async () => {
    await forget()
    if ((await read()).at(-1)?.complete !== true) throw new Error('an upstream does not respond')
  })
})
afterAll(() => office[Symbol.asyncDispose]())

const path = () => `/dashboard?propertyId=${propertyId}`

/** The lines of a response, each with the time at which it arrived. */
async function* lines(response: Response): AsyncGenerator<Line & { readonly atMs: number }> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body ?? []) {
    const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) yield { ...(JSON.parse(part) as Line), atMs: performance.now() }
  }
}

type ReadLine = Line & { readonly atMs: number }

async function collect(response: Response): Promise<ReadLine[]> {
  const all: ReadLine[] = []
  for await (const line of lines(response)) all.push(line)
  return all
}

async function read(staff = manager) {
  return await collect(await staff.fetch(path()))
}

const statusOf = (all: readonly Line[], id: string) => all.find((line) => line.id === id)?.status

/** Every widget is read again, whatever was cached. */
async function forget() {
  const { ctx } = office.service
  const { tenantId } = manager.tokens
  const names = ['stays', 'rooms', 'work-orders', 'folios', 'keys', 'rates']
  const inboxes = ['alerts', 'suggestions'].map((name) => `${name}:${propertyId}`)
  const lists = names.map((name) => `${name}:${tenantId}:${propertyId}`)
  await ctx.cache.invalidate([...lists, ...inboxes])
}

async function forgetTimeZone() {
  const { tenantId } = manager.tokens
  await office.service.ctx.cache.invalidate([`property:${tenantId}:${propertyId}`])
}

describe('B2 the dashboard', () => {
  it('sends the skeleton, every widget and the end', async () => {
    const all = await read()
    expect(all[0]?.type).toBe('skeleton')
    expect(all.at(-1)).toMatchObject({ type: 'end', complete: true })
    const widgets = all.filter((line) => line.type === 'widget')
    expect(widgets.map((line) => line.status)).toEqual(Array(9).fill('ok'))
  })

  it('is one document for clients that want one', async () => {
    const response = await manager.fetch(path(), { headers: { accept: 'application/json' } })
    const { complete, widgets } = (await response.json()) as { complete: boolean; widgets: [] }
    expect([response.status, complete, widgets.length]).toEqual([200, true, 9])
  })

  it('hides what a role may not see', async () => {
    const technician = await signIn(office, 'technician')
    const all = await read(technician)
    expect(statusOf(all, 'arrivals')).toBe('hidden')
    expect(statusOf(all, 'balances')).toBe('hidden')
    expect(statusOf(all, 'maintenance')).toBe('ok')
  })

  it('STAFF-BRD-06 a hanging upstream delays its own widget only', async () => {
    office.faults.set('maintenance', 'slow')
    await forget()
    const all = await read()
    expect(statusOf(all, 'maintenance')).toBe('late')
    const others = all.filter((line) => line.type === 'widget' && line.id !== 'maintenance')
    expect(new Set(others.map((line) => line.status))).toEqual(new Set(['ok']))
    expect(all.at(-1)).toMatchObject({ type: 'end', complete: false })
    expect(all.at(-2)?.id).toBe('maintenance')
    // The skeleton did not wait for the limit of the widget.
    expect((all.at(-1)?.atMs ?? 0) - (all[0]?.atMs ?? 0)).toBeGreaterThan(300)
  })

  it('STAFF-BRD-07 all upstreams down: the skeleton, nine widgets without data, and the end', async () => {
    await forget()
    const names = ['reservation', 'housekeeping', 'maintenance', 'billing', 'notification', 'ai']
    for (const name of [...names, 'pricing']) office.faults.set(name, 'down')
    const all = await read()
    expect(all.map((line) => line.type)).toEqual(['skeleton', ...Array(9).fill('widget'), 'end'])
    const widgets = all.filter((line) => line.type === 'widget')
    expect(new Set(widgets.map((line) => line.status))).toEqual(new Set(['failed']))
  })

  it('STAFF-BRD-07 the property service down, nothing cached: what needs no date is shown', async () => {
    const owner = await signIn(office, 'owner')
    await forget()
    await forgetTimeZone()
    office.faults.set('property', 'down')
    const all = await read()
    expect(all[0]).toMatchObject({ type: 'skeleton', businessDate: null })
    const statuses = Object.groupBy(
      all.filter((line) => line.type === 'widget'),
      (line) => String(line.status),
    )
    const ids = (status: string) => statuses[status]?.map(({ id }) => id).toSorted()
    expect(ids('ok')).toEqual(['alerts', 'housekeeping', 'maintenance', 'suggestions'])
    expect(ids('failed')).toEqual(['arrivals', 'balances', 'departures', 'occupancy', 'rates'])
    expect(all.at(-1)).toMatchObject({ type: 'end', complete: false })
    const document = await manager.fetch(path(), { headers: { accept: 'application/json' } })
    expect(await document.json()).toMatchObject({ businessDate: null, complete: false })
    // Only the property service knows whether it is a property of the owner's tenant.
    const undecided = await owner.fetch(path())
    expect([undecided.status, await undecided.json()]).toMatchObject([
      503,
      { code: 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE' },
    ])
  })

  it('STAFF-BRD-06 a hanging property service does not delay the skeleton', async () => {
    await forget()
    await forgetTimeZone()
    office.faults.set('property', 'slow')
    const response = await manager.fetch(path())
    let waiting = 0
    const all: Line[] = []
    for await (const line of lines(response)) {
      if (line.type === 'skeleton') waiting = office.faults.waiting('property')
      all.push(line)
    }
    expect(waiting, 'requests that wait for the property service').toBeGreaterThan(0)
    expect(all[0]).toMatchObject({ businessDate: null })
    expect(statusOf(all, 'housekeeping')).toBe('ok')
    expect(statusOf(all, 'arrivals')).toBe('late')
  })

  it('shares cached widgets between the roles that see the same data', async () => {
    const names = ['manager', 'owner', 'desk', 'technician']
    const [colleague, owner, desk, technician] = await Promise.all(
      names.map((name) => signIn(office, name)),
    )
    await forget()
    const seenBy = async (staff: Staff | undefined) => {
      const all = await read(staff)
      const of = (id: string) => all.find((line) => line.id === id)
      return [of('rates')?.source, of('alerts')?.source, of('suggestions')?.source]
    }
    expect(await seenBy(manager)).toEqual(['live', 'live', 'live'])
    expect(await seenBy(colleague)).toEqual(['cache', 'cache', 'cache'])
    expect(await seenBy(owner)).toEqual(['cache', 'cache', 'cache'])
    // Alerts and suggestions are chosen for the role.
    expect(await seenBy(desk)).toEqual(['cache', 'live', 'live'])
    const [rates, alerts] = await seenBy(technician)
    expect([rates, alerts]).toEqual(['none', 'live'])
  })

  it('reports lists from the cache of a board with their age', async () => {
    await forget()
    await manager.read(`/maintenance?propertyId=${propertyId}`)
    clock.advance(5_000)
    const all = await read()
    const found = all.find(({ id }) => id === 'maintenance')
    expect(found).toMatchObject({ status: 'ok', source: 'cache' })
    expect(found?.ageMs).toBeGreaterThanOrEqual(5_000)
    expect(all.find(({ id }) => id === 'alerts')).toMatchObject({ status: 'ok', source: 'live' })
  })

  it('reports data as stale, with its age, while the upstream of its list is down', async () => {
    office.faults.set('maintenance', 'down')
    // The widget and its list are no longer fresh.
    clock.advance(45_000)
    // The second response comes from the entry that the first one stored.
    for (const all of [await read(), await read()]) {
      const found = all.find(({ id }) => id === 'maintenance')
      expect(found).toMatchObject({ status: 'stale', source: 'stale' })
      expect(found?.ageMs).toBeGreaterThanOrEqual(45_000)
      expect(found?.data).not.toBe(null)
      expect(statusOf(all, 'housekeeping')).toBe('ok')
      expect(all.at(-1)).toMatchObject({ type: 'end', complete: false })
    }
  })

  it('shows rates in the currency of the hotel', async () => {
    const found = (await read()).find(({ id }) => id === 'rates')
    const { days } = (found?.data ?? { days: [] }) as {
      days: { cheapest: { currency: string } | null }[]
    }
    const currencies = new Set(days.flatMap(({ cheapest }) => cheapest?.currency ?? []))
    expect(currencies).toEqual(new Set(['AED']))
  })

  it('reports partial dashboards and the time of the first byte', async () => {
    const count = async (name: string) => {
      const text = await office.service.ctx.metrics.render()
      return Number(new RegExp(`^bff_backoffice_${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
    }
    const names = ['dashboard_partial_total', 'dashboard_first_byte_seconds_count']
    const [partial = 0, streamed = 0] = await Promise.all(names.map(count))
    await read()
    expect(await Promise.all(names.map(count))).toEqual([partial, streamed + 1])
    await forget()
    office.faults.set('pricing', 'down')
    await read()
    expect(await Promise.all(names.map(count))).toEqual([partial + 1, streamed + 2])
  })

  it('STAFF-BRD-08 lines arrive singly through gzip and a proxy', async () => {
    await using proxy = await startProxy(office.service.url)
    const staff = await signIn(office, 'manager', { url: proxy.url })
    office.faults.set('maintenance', 'slow')
    await forget()
    const response = await staff.fetch(path(), { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    const all = await collect(response)
    const [first, last] = [all[0], all.at(-1)]
    // The widget that is late arrives at its limit, everything else before.
    expect((last?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(200)
    expect(proxy.chunks()).toBeGreaterThan(3)
  })

  it('STAFF-BRD-09 a client that disconnects stops the upstream calls', async () => {
    // A late widget of an earlier test leaves its load running.
    await eventually(() => expect(office.faults.waiting('maintenance')).toBe(0))
    office.faults.set('maintenance', 'slow')
    await forget()
    const stop = new AbortController()
    const response = await manager.fetch(path(), { signal: stop.signal })
    await response.body?.getReader().read()
    await eventually(() => expect(office.faults.waiting('maintenance')).toBe(1))
    stop.abort()
    await eventually(() => expect(office.faults.waiting('maintenance')).toBe(0), {
      timeoutMs: 1_500,
    })
  })

  it('STAFF-BRD-10 a truncated response has no end', async () => {
    const response = await manager.fetch(path())
    const bytes = Buffer.from(await response.arrayBuffer())
    const isWhole = (text: string) => text.endsWith('}\n') && text.includes('"type":"end"')
    expect(isWhole(bytes.toString())).toBe(true)
    for (const share of [0.3, 0.6, 0.99]) {
      expect(isWhole(bytes.subarray(0, bytes.length * share).toString())).toBe(false)
    }
  })
})

/** A proxy that forwards what it receives, and counts the pieces. */
async function startProxy(target: string) {
  let count = 0
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming
    const forwarded = httpRequest(new URL(url, target), { method, headers }, (received) => {
      outgoing.writeHead(received.statusCode ?? 502, received.headers)
      received.on('data', (chunk: Buffer) => {
        count += 1
        outgoing.write(chunk)
      })
      received.on('end', () => outgoing.end())
    })
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chunks: () => count,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
