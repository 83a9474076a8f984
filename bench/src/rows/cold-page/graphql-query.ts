/** What a web client would request from a GraphQL gateway: the fields of a card. */
export const QUERY = `query Search($query: SearchInput!) {
  search(query: $query) {
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
        offer {
          roomTypeId roomTypeName ratePlanId ratePlanCode ratePlanName category board
          cancellation { kind freeUntil freeUntilHours penaltyBasisPoints }
          payment { timing depositBasisPoints }
          charges { kind code label amountMinor included }
          roomsLeft digest
        }
      }
      badges
    }
  }
}`
