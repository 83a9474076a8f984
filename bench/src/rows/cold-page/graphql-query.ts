/** What a web client would ask a GraphQL gateway for: the members of a card. */
export const QUERY = `query Search($question: Question!) {
  search(question: $question) {
    total
    nextCursor
    items {
      propertyId tenantId tenantSlug
      name { default localized }
      city country
      geo { lat lng }
      thumbnail { url alt }
      starRating
      guestRating { value count }
      amenityHighlights
      brandPeek { primaryColor logoUrl brandName { default localized } }
      rateSnapshot {
        cheapestNightlyMinor totalForStayMinor currency currencyDisplayPolicy fxSnapshotId
        capturedAt ttlExpiresAt isStale
      }
      badges
    }
  }
}`
