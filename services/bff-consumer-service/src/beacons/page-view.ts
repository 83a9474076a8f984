import { idPattern, type PropertyId, problem } from '@melmastoon/domain'
import { id, instant } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { PAGE_PATH, VIEW_SOURCES } from '../events/view-events.ts'

const PATH_LENGTH_MAX = 100
const REFERER_LENGTH_MAX = 2_048
const POSITION_MAX = 10_000

/** A page view (`MetaPageView`, domain model §2.5), and how the guest came to the page. */
export const PageViewBody = Type.Object(
  {
    /** Made by the page, so that a repeated beacon is one view. */
    pageViewId: Type.Optional(id('mpv')),
    path: Type.String({ pattern: PAGE_PATH, maxLength: PATH_LENGTH_MAX }),
    /** `document.referrer`, empty where there is none; only its host is recorded. */
    referer: Type.Optional(Type.String({ maxLength: REFERER_LENGTH_MAX })),
    searchSessionId: Type.Optional(id('srs')),
    propertyId: Type.Optional(id('ppt')),
    source: Type.Optional(Type.Enum([...VIEW_SOURCES])),
    /** Position in the search result: with it, the view is a click. */
    position: Type.Optional(Type.Integer({ minimum: 0, maximum: POSITION_MAX })),
    viewedAt: Type.Optional(instant()),
  },
  { dependentRequired: { position: ['propertyId', 'source'] } },
)

export type PageViewBody = Static<typeof PageViewBody>

const HOTEL_OF_PATH = new RegExp(idPattern('ppt').slice(1))

/**
 * The hotel of a page view.
 * @throws Problem when the page is of one hotel and the view of another.
 */
export function propertyOf({ path, propertyId }: PageViewBody): PropertyId | undefined {
  const named = HOTEL_OF_PATH.exec(path)?.[0] as PropertyId | undefined
  if (named === undefined || propertyId === undefined) return named ?? propertyId
  if (named === propertyId) return named
  const detail = 'is not the hotel of this page'
  const error = { pointer: '/propertyId', code: 'contradiction', detail }
  throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors: [error] })
}
