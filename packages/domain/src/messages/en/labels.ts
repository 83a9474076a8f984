import { area } from '../area.ts'

/** Of stays, rates and payments. */
const stay = {
  ...area('labels.unavailable', {
    closed: 'Not on sale for these dates',
    party_not_accepted: 'The hotel does not accept children of this age',
    party_too_large: 'No room is large enough for all guests',
    sold_out: 'Sold out',
    not_enough_rooms:
      '{count, plural, =0 {Too few rooms of one type are left} ' +
      'one {Only # room of one type is left} other {Only # rooms of one type are left}}',
    closed_to_arrival: 'No arrivals on this day',
    closed_to_departure: 'No departures on this day',
    min_nights:
      '{count, plural, =0 {A longer stay is required} ' +
      'one {At least # night is required} other {At least # nights are required}}',
    max_nights:
      '{count, plural, =0 {Only shorter stays are possible} ' +
      'one {At most # night is possible} other {At most # nights are possible}}',
    advance_days:
      '{count, plural, =0 {Must be booked earlier} ' +
      'one {Must be booked # day before arrival} other {Must be booked # days before arrival}}',
    no_rate: 'There is no price for this stay',
  }),
  ...area('labels.board', {
    room_only: 'Room only',
    breakfast: 'Breakfast included',
    half_board: 'Breakfast and dinner included',
    full_board: 'All meals included',
  }),
  ...area('labels.rate_category', {
    bar: 'Standard rate',
    'non-refundable': 'Non-refundable rate',
    weekly: 'Weekly rate',
    corporate: 'Company rate',
    government: 'Government rate',
  }),
  ...area('labels.cancellation', {
    free: 'Free cancellation',
    partial: 'Partly refundable',
    none: 'Non-refundable',
  }),
  ...area('labels.cancellation_policy', {
    free: 'Free cancellation until a deadline, then the full price',
    partial: 'Free cancellation until a deadline, then a part of the price',
    none: 'No free cancellation',
  }),
  ...area('labels.cancellation_filter', {
    free: 'Free cancellation',
    partial: 'At least partly refundable',
    any: 'Any terms',
  }),
  ...area('labels.payment_method', {
    card: 'Card',
    cash_on_arrival: 'Cash at the hotel',
    mobile_money: 'Mobile money',
  }),
  ...area('labels.payment_timing', {
    now: 'Pay when booking',
    at_hotel: 'Pay at the hotel',
    either: 'Pay now or at the hotel',
  }),
  ...area('labels.charge', { tax: 'Tax', fee: 'Fee' }),
  ...area('labels.price_line', {
    night: 'Night',
    extra: 'Extra guest',
    discount: 'Discount',
    promotion: 'Promotion',
    fee: 'Fee',
    tax: 'Tax',
  }),
  ...area('labels.price_per', { night: 'per night', stay: 'for the whole stay' }),
  ...area('labels.price_currency', {
    'user-preferred': 'In your currency',
    tenant: 'In the currency of the hotel',
    fallback: 'In another currency, because yours cannot be converted',
  }),
}

/** Of hotels and their rooms. */
const house = {
  ...area('labels.property_type', {
    hotel: 'Hotel',
    guesthouse: 'Guest house',
    hostel: 'Hostel',
    apartment: 'Apartment',
  }),
  ...area('labels.badge', {
    newProperty: 'New',
    shariaCompliant: 'Run by the rules of sharia',
    crossRegionDelivery: 'The booking site may be slower',
  }),
  ...area('labels.room', {
    king: 'King room',
    twin: 'Twin room',
    suite: 'Suite',
    family: 'Family room',
    dorm: 'Shared room',
    apartment: 'Apartment',
  }),
  ...area('labels.bed', {
    king: '{count, plural, =0 {King bed} one {# king bed} other {# king beds}}',
    queen: '{count, plural, =0 {Queen bed} one {# queen bed} other {# queen beds}}',
    single: '{count, plural, =0 {Single bed} one {# single bed} other {# single beds}}',
    bunk: '{count, plural, =0 {Bunk bed} one {# bunk bed} other {# bunk beds}}',
    sofa: '{count, plural, =0 {Sofa bed} one {# sofa bed} other {# sofa beds}}',
  }),
  ...area('labels.photo', {
    exterior: 'Building',
    courtyard: 'Courtyard',
    room: 'Room',
    dining: 'Restaurant',
    view: 'View',
  }),
  ...area('labels.identity_document', {
    passport: 'Passport',
    visa: 'Visa',
    national_id: 'National identity card',
    driving_licence: 'Driving licence',
    marriage_certificate: 'Marriage certificate',
  }),
  ...area('labels.review_aspect', {
    cleanliness: 'Cleanliness',
    staff: 'Staff',
    location: 'Location',
    comfort: 'Comfort',
    value: 'Value for money',
    facilities: 'Facilities',
  }),
  ...area('labels.travellers', {
    solo: 'Travelled alone',
    couple: 'Couple',
    family: 'Family',
    friends: 'Friends',
    business: 'Business trip',
  }),
}

/** Of the amenities of the platform. */
const amenities = area('labels.amenity', {
  wifi: 'Free Wi-Fi',
  breakfast: 'Breakfast',
  'halal-kitchen': 'Halal kitchen',
  'prayer-room': 'Prayer room',
  generator: 'Own generator',
  'women-only-floor': 'Floor for women only',
  'airport-pickup': 'Airport pick-up',
  parking: 'Parking',
  restaurant: 'Restaurant',
  'room-service': 'Room service',
  laundry: 'Laundry',
  'air-conditioning': 'Air conditioning',
  heating: 'Heating',
  elevator: 'Lift',
  garden: 'Garden',
  courtyard: 'Courtyard',
  'rooftop-terrace': 'Roof terrace',
  'tea-house': 'Tea house',
  'family-rooms': 'Family rooms',
  'meeting-room': 'Meeting room',
  'security-guard': 'Guard day and night',
  kitchenette: 'Kitchenette',
  gym: 'Gym',
  pool: 'Swimming pool',
  hammam: 'Hammam',
  'step-free': 'Step-free access',
})

/** Of searches and lists. */
const search = {
  ...area('labels.place', {
    city: 'City',
    region: 'Region',
    neighbourhood: 'Neighbourhood',
    landmark: 'Sight',
    property: 'Hotel',
  }),
  ...area('labels.suggestion', {
    popular: 'Popular',
    exact: 'Matching name',
    similar: 'Similar name',
  }),
  ...area('labels.alternative', {
    similar_name: 'Similar name',
    nearby: 'Nearby',
    popular: 'Popular',
  }),
  ...area('labels.sort', {
    recommended: 'Recommended',
    'price-asc': 'Lowest price first',
    'price-desc': 'Highest price first',
    'rating-desc': 'Best rating first',
    'distance-asc': 'Nearest first',
  }),
  ...area('labels.section', {
    fresh: 'Up to date',
    stale: 'May be out of date',
    missing: 'Not available at present',
  }),
  ...area('labels.missing_hotel', {
    'not-found': 'This hotel is no longer listed',
    'not-loaded': 'This hotel cannot be shown at present',
  }),
  ...area('labels.unavailable_wish', {
    'off-sale': 'This hotel is no longer listed',
    'not-loaded': 'This hotel cannot be shown at present',
  }),
}

/** Texts of values that pages show; `count` is 0 where it is not known. */
export const labels = { ...stay, ...house, ...amenities, ...search }
