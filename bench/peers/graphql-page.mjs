/** The page as a GraphQL schema. */
export const TYPES = `
  scalar JSON
  input SearchInput {
    geo: JSON!
    dates: JSON!
    occupancy: JSON!
    filters: JSON!
    sortKey: String!
    pageSize: Int!
    currency: String!
  }
  type Geo { lat: Float! lng: Float! }
  type Thumbnail { url: String! alt: String! }
  type Rating { value: Float! count: Int! }
  type Text { default: String! localized: JSON }
  type Brand { primaryColor: String! logoUrl: String! brandName: Text! }
  type Cancellation {
    kind: String!
    freeUntil: String
    freeUntilHours: Int!
    penaltyBasisPoints: Int!
  }
  type Payment { timing: String! depositBasisPoints: Int! }
  type Charge {
    kind: String!
    code: String!
    label: String!
    amountMinor: Float!
    included: Boolean!
  }
  type Offer {
    roomTypeId: ID!
    roomTypeName: String!
    ratePlanId: ID!
    ratePlanCode: String!
    ratePlanName: String!
    category: String!
    board: String!
    cancellation: Cancellation!
    payment: Payment!
    charges: [Charge!]!
    roomsLeft: Int!
    digest: String!
  }
  type Rate {
    cheapestNightlyMinor: Float!
    totalForStayMinor: Float!
    currency: String!
    currencyDisplayPolicy: String!
    fxSnapshotId: String
    capturedAt: String!
    ttlExpiresAt: String!
    isStale: Boolean!
    offer: Offer!
  }
  type Card {
    propertyId: ID!
    tenantId: ID!
    tenantSlug: String!
    name: Text!
    city: String!
    country: String!
    geo: Geo!
    thumbnail: Thumbnail!
    starRating: Int
    guestRating: Rating
    amenityHighlights: [String!]!
    brandPeek: Brand
    rateSnapshot: Rate
    badges: [String!]!
  }
  type Page { items: [Card!]! total: Int! nextCursor: String }
  type Query { search(query: SearchInput!): Page! }
`

export const cardFields = {
  thumbnail: ({ thumbnail }) => ({ url: thumbnail.url, alt: thumbnail.alt.default }),
  badges: ({ shariaCompliant }) => (shariaCompliant ? ['shariaCompliant'] : []),
}
