import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

type Operation = { readonly security?: readonly Readonly<Record<string, unknown>>[] }

const { paths, components } = JSON.parse(
  readFileSync(new URL('../../contracts/openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: { securitySchemes: object }
}
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.values(item).map(({ security = [] }) => ({
    path,
    schemes: security.flatMap((requirement) => Object.keys(requirement)),
  })),
)

it('every operation of an upstream requires the credentials of a service', () => {
  const upstream = operations.filter(({ path }) => path.startsWith('/upstreams/'))
  expect(upstream.length).toBeGreaterThan(50)
  for (const { path, schemes } of upstream) {
    expect(schemes, path).toEqual(expect.arrayContaining(['serviceSecret', 'callingService']))
  }
})

it('devices pull changes with the token of a sync handshake', () => {
  expect(operations.filter(({ path }) => path === '/sync/v1/pull')).toEqual([
    { path: '/sync/v1/pull', schemes: ['syncToken'] },
  ])
})

it('every scheme that an operation requires is declared', () => {
  const required = new Set(operations.flatMap(({ schemes }) => schemes))
  expect([...required].toSorted()).toEqual(Object.keys(components.securitySchemes).toSorted())
})
