/**
 * Where the texts of values that pages show are in the message catalogue, by schema and property. A
 * test reports values without texts, and enumerations that are missing here.
 */
export const LABELS = {
  'Alternative.because': 'labels.alternative',
  'Alternative.kind': 'labels.place',
  'Bed.kind': 'labels.bed',
  'CancellationPolicy.kind': 'labels.cancellation_policy',
  'CancellationTerms.kind': 'labels.cancellation',
  'Charge.kind': 'labels.charge',
  'ComparedFacts.propertyType': 'labels.property_type',
  'HotelOffers.paymentMethods': 'labels.payment_method',
  'HotelPhoto.category': 'labels.photo',
  'HotelSummary.badges': 'labels.badge',
  'HotelSummary.propertyType': 'labels.property_type',
  'IdentityPolicy.accepted': 'labels.identity_document',
  'ListingCard.badges': 'labels.badge',
  'MissingHotel.reason': 'labels.missing_hotel',
  'PaymentTerms.timing': 'labels.payment_timing',
  'Place.kind': 'labels.place',
  'PriceLine.kind': 'labels.price_line',
  'PriceRange.per': 'labels.price_per',
  'RateCapture.currencyDisplayPolicy': 'labels.price_currency',
  'RateOffer.board': 'labels.board',
  'RateOffer.category': 'labels.rate_category',
  'RateSnapshot.currencyDisplayPolicy': 'labels.price_currency',
  'Review.travellers': 'labels.travellers',
  'ReviewScore.aspect': 'labels.review_aspect',
  'RoomOffers.kind': 'labels.room',
  'RoomPhoto.category': 'labels.photo',
  'RoomType.kind': 'labels.room',
  'SearchFilters.cancellationFlexibility': 'labels.cancellation_filter',
  'SearchRequest.sortKey': 'labels.sort',
  'Section.status': 'labels.section',
  'StayAvailability.reason': 'labels.unavailable',
  'StayOffer.board': 'labels.board',
  'StayOffer.category': 'labels.rate_category',
  'Suggestion.kind': 'labels.place',
  'Suggestion.match': 'labels.suggestion',
  'UnavailableWish.reason': 'labels.unavailable_wish',
} as const satisfies Readonly<Record<string, `labels.${string}`>>

/** Lists of codes that are not enumerations in the document, because more may be added. */
const CODES = {
  'ListingCard.amenityHighlights': 'labels.amenity',
  'SearchFilters.amenities': 'labels.amenity',
  'SearchFilters.propertyType': 'labels.property_type',
} as const satisfies Readonly<Record<string, `labels.${string}`>>

export const DOCUMENTED_LABELS: Readonly<Record<string, string>> = { ...LABELS, ...CODES }
