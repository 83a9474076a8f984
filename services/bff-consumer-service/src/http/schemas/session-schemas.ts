import { CampaignAttribution } from '@melmastoon/bff/guests'
import type { SchemaNote } from '@melmastoon/chassis/http'
import { PageViewBody } from '../../beacons/page-view.ts'
import { FunnelStepBody } from '../../beacons/record-funnel-step.ts'
import { BookingHandoffVM, HandoffBody } from '../../handoff/handoff-fields.ts'
import { SessionPreferencesVM } from '../../preferences/change-preferences.ts'
import { PlatformChoices } from '../../preferences/platform-choices.ts'
import { GuestSessionVM } from '../../sessions/guest-session.ts'
import { RecentlyViewedPage } from '../../views/recently-viewed.ts'
import { WishBody, WishlistVM, WishVM } from '../../wishlist/wish.ts'

const { flags, recentlyViewed, wishlistRefs, searchHistory } = GuestSessionVM.properties
const { locales, currencies } = PlatformChoices.properties

/** The session of a guest, their lists, booking links and telemetry. */
export const sessionSchemas = {
  GuestSession: { of: [GuestSessionVM], description: 'The session as the guest sees it' },
  SessionPreferences: {
    of: [SessionPreferencesVM],
    description: 'The choices of the guest. Nothing of what they viewed',
  },
  SessionFlags: { of: [flags], description: 'What the guest agreed to' },
  ViewedHotel: { of: [recentlyViewed.items], description: 'A hotel that the guest viewed' },
  WishlistRef: { of: [wishlistRefs.items], description: 'A wish, as the session refers to it' },
  PastSearch: {
    of: [searchHistory.items],
    description: 'A search that the guest made',
    properties: { geo: 'Where' },
  },
  CampaignAttribution: {
    of: [CampaignAttribution],
    description: 'The campaign that led to a session',
    properties: { source: 'Where the guest came from' },
  },
  PlatformChoices: { of: [PlatformChoices], description: 'What a guest may choose' },
  LocaleChoice: { of: [locales.items], description: 'A language' },
  CurrencyChoice: {
    of: [currencies.items],
    description: 'A currency',
    properties: { code: 'ISO 4217' },
  },
  MessageCatalogue: { description: 'The texts of all problems and labels in one language' },
  RecentlyViewedPage: {
    of: [RecentlyViewedPage],
    description: 'Hotels that the guest viewed',
    properties: { items: 'Newest first; hotels that are not listed now are omitted' },
  },
  RecentlyViewedItem: {
    of: [RecentlyViewedPage.properties.items.items],
    description: 'A hotel that the guest viewed',
  },
  AddWishRequest: { of: [WishBody], description: 'A hotel for the wishlist' },
  Wish: { of: [WishVM], description: 'A hotel of the wishlist' },
  Wishlist: { of: [WishlistVM], description: 'The wishlist' },
  WishlistSections: {
    of: [WishlistVM.properties.sections],
    description: 'The state of each part of the wishlist',
  },
  WishlistItem: { of: [WishlistVM.properties.items.items], description: 'A wish with its hotel' },
  UnavailableWish: {
    of: [WishlistVM.properties.unavailable.items],
    description: 'A wish for a hotel that has no card now; it can be removed',
  },
  HandoffRequest: {
    of: [HandoffBody],
    description:
      'The stay, and the offer that was shown; what is absent is filled from the cheapest offer ' +
      'that matches',
  },
  BookingHandoff: { of: [BookingHandoffVM], description: 'A booking link' },
  HandoffOffer: {
    of: [BookingHandoffVM.properties.offer],
    description: 'The offer as it is signed in the link; null where nothing is known',
  },
  ShownPrice: {
    of: [HandoffBody.properties.shownPrice],
    description: 'The price of a stay that was shown',
  },
  PageViewRequest: {
    of: [PageViewBody],
    description: 'A page view, and how the guest came to the page',
  },
  FunnelStepRequest: { of: [FunnelStepBody], description: 'A step of the funnel' },
  FunnelMetadata: {
    of: [FunnelStepBody.properties.metadata],
    description: 'Numbers about a step',
  },
} as const satisfies Readonly<Record<string, SchemaNote>>
