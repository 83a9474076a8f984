import type { FastResponder } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../../context.ts'
import { peekFacets } from '../../facets/read-facets.ts'
import { choosePublicDocument } from '../public-document.ts'
import type { AdmitGuest } from './fast-guest.ts'

type FacetQuery = Parameters<typeof choosePublicDocument>[0]

/** The catalogue of facets, as its route sends it. */
export function readyFacets(ctx: ConsumerContext, admit: AdmitGuest): FastResponder {
  return (request) => {
    const admitted = admit(request, 'open')
    if (admitted === undefined) return undefined
    const query = request.input.query as FacetQuery
    const { preferences, caching } = choosePublicDocument(query, admitted.client)
    const bytes = peekFacets(ctx, preferences)
    if (bytes === undefined) return undefined
    request.addHeader('content-language', preferences.locale)
    return { bytes, options: { ...caching, servedFor: bytes } }
  }
}
