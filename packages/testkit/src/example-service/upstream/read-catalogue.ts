import type { Deadline } from '@melmastoon/chassis/clock'
import type { Upstream } from '@melmastoon/chassis/upstream'
import { type Static, Type } from 'typebox'

export const Catalogue = Type.Object({
  items: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), amountMinor: Type.Integer() }),
  ),
})

export type Catalogue = Static<typeof Catalogue>

export interface ReadCatalogue {
  locale: string
  currency: string
  deadline: Deadline
}

export async function readCatalogue(upstream: Upstream, read: ReadCatalogue): Promise<Catalogue> {
  const { locale, currency, ...rest } = read
  const answer = await upstream.call({
    operation: 'example.catalogue.read',
    method: 'GET',
    path: '/catalogue',
    query: { locale, currency },
    schema: Catalogue,
    ...rest,
  })
  return answer.value
}
