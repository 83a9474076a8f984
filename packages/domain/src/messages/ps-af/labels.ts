import { area } from '../area.ts'

/** Of stays, rates and payments. */
const stay = {
  ...area('labels.unavailable', {
    closed: 'د دې نېټو لپاره نه پلورل کېږي',
    party_not_accepted: 'هوټل د دې عمر ماشومان نه مني',
    party_too_large: 'هېڅ خونه د ټولو مېلمنو لپاره لویه نه ده',
    sold_out: 'ټولې خونې ډکې دي',
    not_enough_rooms:
      '{count, plural, =0 {له یوه ډوله کافي خونې نه دي پاتې} ' +
      'one {له یوه ډوله یوازې # خونه پاتې ده} other {له یوه ډوله یوازې # خونې پاتې دي}}',
    closed_to_arrival: 'په دې ورځ مېلمانه نه منل کېږي',
    closed_to_departure: 'په دې ورځ وتل نشته',
    min_nights:
      '{count, plural, =0 {اوږده استوګنه لازمه ده} ' +
      'one {لږ تر لږه # شپه لازمه ده} other {لږ تر لږه # شپې لازمې دي}}',
    max_nights:
      '{count, plural, =0 {یوازې لنډه استوګنه کېدای شي} ' +
      'one {تر ټولو زیاته # شپه کېدای شي} other {تر ټولو زیاتې # شپې کېدای شي}}',
    advance_days:
      '{count, plural, =0 {باید مخکې بک شي} ' +
      'one {باید له رسېدو # ورځ مخکې بک شي} other {باید له رسېدو # ورځې مخکې بک شي}}',
    no_rate: 'د دې استوګنې لپاره بیه نشته',
  }),
  ...area('labels.board', {
    room_only: 'یوازې خونه',
    breakfast: 'له سهارني سره',
    half_board: 'له سهارني او د ماښام له ډوډۍ سره',
    full_board: 'له درې واړو وختونو ډوډۍ سره',
  }),
  ...area('labels.rate_category', {
    bar: 'عادي بیه',
    'non-refundable': 'نه بېرته کېدونکې بیه',
    weekly: 'اوونیزه بیه',
    corporate: 'د شرکتونو بیه',
    government: 'دولتي بیه',
  }),
  ...area('labels.cancellation', {
    free: 'وړیا لغوه کول',
    partial: 'یوه برخه بېرته ورکول کېږي',
    none: 'پیسې بېرته نه ورکول کېږي',
  }),
  ...area('labels.cancellation_policy', {
    free: 'تر ټاکلي وخته وړیا لغوه کول، وروسته بشپړه بیه',
    partial: 'تر ټاکلي وخته وړیا لغوه کول، وروسته د بیې یوه برخه',
    none: 'وړیا لغوه کول نشته',
  }),
  ...area('labels.cancellation_filter', {
    free: 'وړیا لغوه کول',
    partial: 'لږ تر لږه یوه برخه بېرته ورکول کېږي',
    any: 'هر شرطونه',
  }),
  ...area('labels.payment_method', {
    card: 'کارت',
    cash_on_arrival: 'په هوټل کې نغدې پیسې',
    mobile_money: 'د موبایل پیسې',
  }),
  ...area('labels.payment_timing', {
    now: 'د بکنګ پر وخت تادیه',
    at_hotel: 'په هوټل کې تادیه',
    either: 'اوس یا په هوټل کې تادیه',
  }),
  ...area('labels.charge', { tax: 'مالیه', fee: 'فیس' }),
  ...area('labels.price_line', {
    night: 'شپه',
    extra: 'اضافي مېلمه',
    discount: 'تخفیف',
    promotion: 'ځانګړی تخفیف',
    fee: 'فیس',
    tax: 'مالیه',
  }),
  ...area('labels.price_per', { night: 'د یوې شپې', stay: 'د ټولې استوګنې' }),
  ...area('labels.price_currency', {
    'user-preferred': 'ستاسو په پولي واحد',
    tenant: 'د هوټل په پولي واحد',
    fallback: 'په بل پولي واحد، ځکه ستاسو واحد نشي بدلېدای',
  }),
}

/** Of hotels and their rooms. */
const house = {
  ...area('labels.property_type', {
    hotel: 'هوټل',
    guesthouse: 'مېلمستون',
    hostel: 'هاسټل',
    apartment: 'اپارتمان',
  }),
  ...area('labels.badge', {
    newProperty: 'نوی',
    shariaCompliant: 'د شریعت له احکامو سره سم',
    crossRegionDelivery: 'د بکنګ پاڼه ښايي ورو وي',
  }),
  ...area('labels.room', {
    king: 'د لوی بستر خونه',
    twin: 'دوه بستره خونه',
    suite: 'سویټ',
    family: 'کورنۍ خونه',
    dorm: 'ګډه خونه',
    apartment: 'اپارتمان',
  }),
  ...area('labels.bed', {
    king: '{count, plural, =0 {ډېر لوی بستر} one {# ډېر لوی بستر} other {# ډېر لوی بسترونه}}',
    queen: '{count, plural, =0 {لوی بستر} one {# لوی بستر} other {# لوی بسترونه}}',
    single: '{count, plural, =0 {یو کسیز بستر} one {# یو کسیز بستر} other {# یو کسیز بسترونه}}',
    bunk: '{count, plural, =0 {دوه پوړیز بستر} one {# دوه پوړیز بستر} other {# دوه پوړیز بسترونه}}',
    sofa: '{count, plural, =0 {د چوکۍ بستر} one {# د چوکۍ بستر} other {# د چوکۍ بسترونه}}',
  }),
  ...area('labels.photo', {
    exterior: 'ودانۍ',
    courtyard: 'انګړ',
    room: 'خونه',
    dining: 'رستورانت',
    view: 'منظره',
  }),
  ...area('labels.identity_document', {
    passport: 'پاسپورټ',
    visa: 'ویزه',
    national_id: 'تذکره',
    driving_licence: 'د موټر چلولو جواز',
    marriage_certificate: 'نکاح خط',
  }),
  ...area('labels.review_aspect', {
    cleanliness: 'پاکوالی',
    staff: 'کارکوونکي',
    location: 'ځای',
    comfort: 'ارامي',
    value: 'د بیې ارزښت',
    facilities: 'اسانتیاوې',
  }),
  ...area('labels.travellers', {
    solo: 'یوازې مسافر',
    couple: 'مېړه او ښځه',
    family: 'کورنۍ',
    friends: 'ملګري',
    business: 'کاري سفر',
  }),
}

/** Of the amenities of the platform. */
const amenities = area('labels.amenity', {
  wifi: 'وړیا وای‌فای',
  breakfast: 'سهارنی',
  'halal-kitchen': 'حلال پخلنځی',
  'prayer-room': 'د لمانځه خونه',
  generator: 'خپل جنراتور',
  'women-only-floor': 'یوازې د ښځو پوړ',
  'airport-pickup': 'له هوایي ډګره راوړل',
  parking: 'د موټرو تم‌ځای',
  restaurant: 'رستورانت',
  'room-service': 'د خونې خدمتونه',
  laundry: 'د جامو مینځل',
  'air-conditioning': 'هوا یخوونکی',
  heating: 'تودوخه',
  elevator: 'لفټ',
  garden: 'بڼ',
  courtyard: 'انګړ',
  'rooftop-terrace': 'د بام چوتره',
  'tea-house': 'چایخونه',
  'family-rooms': 'کورنۍ خونې',
  'meeting-room': 'د غونډو خونه',
  'security-guard': 'د شپې او ورځې ساتونکی',
  kitchenette: 'کوچنی پخلنځی',
  gym: 'د ورزش خونه',
  pool: 'د لامبو حوض',
  hammam: 'حمام',
  'step-free': 'بې زینو لار',
})

/** Of searches and lists. */
const search = {
  ...area('labels.place', {
    city: 'ښار',
    region: 'ولایت',
    neighbourhood: 'سیمه',
    landmark: 'د لیدو ځای',
    property: 'هوټل',
  }),
  ...area('labels.suggestion', {
    popular: 'مشهور',
    exact: 'برابر نوم',
    similar: 'ورته نوم',
  }),
  ...area('labels.alternative', {
    similar_name: 'ورته نوم',
    nearby: 'نږدې',
    popular: 'مشهور',
  }),
  ...area('labels.sort', {
    recommended: 'وړاندیز شوي',
    'price-asc': 'لومړی ټیټه بیه',
    'price-desc': 'لومړی لوړه بیه',
    'rating-desc': 'لومړی ښې نمرې',
    'distance-asc': 'لومړی نږدې',
  }),
  ...area('labels.section', {
    fresh: 'تازه',
    stale: 'ښايي زوړ وي',
    missing: 'اوس مهال نشته',
  }),
  ...area('labels.missing_hotel', {
    'not-found': 'دا هوټل نور په لېست کې نشته',
    'not-loaded': 'دا هوټل اوس مهال نشي ښودل کېدای',
  }),
  ...area('labels.unavailable_wish', {
    'off-sale': 'دا هوټل نور په لېست کې نشته',
    'not-loaded': 'دا هوټل اوس مهال نشي ښودل کېدای',
  }),
}

/** Texts of values that pages show; `count` is 0 where it is not known. */
export const labels = { ...stay, ...house, ...amenities, ...search }
