/** Upstream requests and the composition of a card: the same for every alternative. */
export function searchBody(query) {
  const { geo, dates, occupancy, filters, sortKey, pageSize, currency } = query
  return { geo, stay: dates, occupancy, filters, sortKey, limit: pageSize, currency }
}

export function previewBody(query, listings) {
  const { dates, occupancy, currency } = query
  return { propertyIds: listings.map((each) => each.propertyId), stay: dates, occupancy, currency }
}

export function peekBody(listings) {
  return { tenantIds: [...new Set(listings.map((each) => each.tenantId))] }
}

export function composePage(search, previews, peeks) {
  const priceOf = new Map(previews.previews.map((each) => [each.propertyId, each]))
  const brandOf = new Map(peeks.peeks.map((each) => [each.tenantId, each]))
  const items = search.items.map((listing) =>
    composeCard(listing, brandOf.get(listing.tenantId), priceOf.get(listing.propertyId), previews),
  )
  return { items, total: search.total, nextCursor: search.nextCursor }
}

function composeCard(listing, brand, price, { capturedAt, validUntil }) {
  return {
    propertyId: listing.propertyId,
    tenantId: listing.tenantId,
    tenantSlug: listing.tenantSlug,
    name: listing.name,
    city: listing.city,
    country: listing.country,
    geo: listing.geo,
    thumbnail: { url: listing.thumbnail.url, alt: listing.thumbnail.alt.default },
    starRating: listing.starRating,
    guestRating: listing.guestRating,
    amenityHighlights: listing.amenityHighlights,
    brandPeek: brand && composeBrand(brand),
    rateSnapshot:
      price?.status === 'priced' ? composeRate(price, capturedAt, validUntil) : undefined,
    badges: listing.shariaCompliant ? ['shariaCompliant'] : [],
  }
}

export function composeBrand({ primaryColor, logoUrl, brandName }) {
  return { primaryColor, logoUrl, brandName }
}

export function composeRate(price, capturedAt, ttlExpiresAt) {
  return {
    cheapestNightlyMinor: toMinor(price.cheapestNightly),
    totalForStayMinor: toMinor(price.totalForStay),
    currency: price.totalForStay.currency,
    currencyDisplayPolicy: price.currencyDisplayPolicy,
    fxSnapshotId: price.fxSnapshotId,
    capturedAt,
    ttlExpiresAt,
    isStale: false,
    offer: { ...composeTerms(price.offer), ...composeTotal(price.offer.price) },
  }
}

/** Room, plan and terms of an offer. */
export function composeTerms(offer) {
  const { kind, freeUntil, freeUntilHours, penaltyBasisPoints } = offer.cancellation
  return {
    roomTypeId: offer.roomTypeId,
    roomTypeName: offer.roomTypeName.default,
    ratePlanId: offer.ratePlanId,
    ratePlanCode: offer.ratePlanCode,
    ratePlanName: offer.ratePlanName.default,
    category: offer.category,
    board: offer.board,
    cancellation: { kind, freeUntil, freeUntilHours, penaltyBasisPoints },
    payment: {
      timing: offer.payment.timing,
      depositBasisPoints: offer.payment.depositBasisPoints,
    },
  }
}

/** Taxes and fees of an offer, the rooms left and the digest. */
export function composeTotal({ charges, roomsLeft, digest }) {
  return {
    charges: charges.map(({ kind, code, label, amount, included }) => ({
      kind,
      code,
      label: label.default,
      amountMinor: toMinor(amount),
      included,
    })),
    roomsLeft,
    digest,
  }
}

export function toMinor({ amountMicro }) {
  return Number(BigInt(amountMicro) / 10_000n)
}

export function serviceHeaders(secret) {
  return {
    authorization: `Bearer ${secret}`,
    'x-calling-service': 'bench-peer',
    'content-type': 'application/json',
    accept: 'application/json',
  }
}
