import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const WORDS =
  'garden river mountain room view breakfast quiet family courtyard bazaar mosque airport terrace lake wide bed apricot sunrise old town guest house hot water heater library carpet tea'.split(
    ' ',
  )
const ITEMS = 520

/**
 * An upstream whose catalogue is like a page of search results: a property for every 25 bytes, and
 * text that compresses to about a fifth. It is the same on every run. That of the example service
 * repeats itself, so that its page would shrink to nothing.
 */
export async function startPageUpstream(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://upstream').searchParams
    const body = JSON.stringify(catalogue(`${query.get('locale')} ${query.get('currency')}`))
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function catalogue(place: string) {
  let state = 7
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const words = (count: number) => Array.from({ length: count }, () => WORDS[next(WORDS.length)])
  const items = Array.from({ length: ITEMS }, (_, index) => ({
    id: `item-${String(index).padStart(4, '0')}`,
    name: `${words(4).join(' ')}, ${place}`,
    amountMinor: 1_000 + next(1_000_000),
  }))
  return { items }
}
