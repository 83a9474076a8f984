import { area } from '../area.ts'

/** Of stays, rates and payments. */
const stay = {
  ...area('labels.unavailable', {
    closed: 'برای این تاریخ‌ها فروخته نمی‌شود',
    party_not_accepted: 'هوتل کودکان این سن را نمی‌پذیرد',
    party_too_large: 'هیچ اتاقی برای همهٔ مهمانان کافی نیست',
    sold_out: 'اتاق خالی نیست',
    not_enough_rooms:
      '{count, plural, =0 {از یک نوع به اندازهٔ کافی اتاق نمانده است} ' +
      'one {از یک نوع تنها # اتاق مانده است} other {از یک نوع تنها # اتاق مانده است}}',
    closed_to_arrival: 'در این روز ورود ممکن نیست',
    closed_to_departure: 'در این روز خروج ممکن نیست',
    min_nights:
      '{count, plural, =0 {اقامت طولانی‌تر لازم است} ' +
      'one {دست‌کم # شب لازم است} other {دست‌کم # شب لازم است}}',
    max_nights:
      '{count, plural, =0 {تنها اقامت کوتاه‌تر ممکن است} ' +
      'one {حداکثر # شب ممکن است} other {حداکثر # شب ممکن است}}',
    advance_days:
      '{count, plural, =0 {باید زودتر رزرو شود} ' +
      'one {باید # روز پیش از ورود رزرو شود} other {باید # روز پیش از ورود رزرو شود}}',
    no_rate: 'برای این اقامت بها موجود نیست',
  }),
  ...area('labels.board', {
    room_only: 'تنها اتاق',
    breakfast: 'با صبحانه',
    half_board: 'با صبحانه و نان شب',
    full_board: 'با هر سه وقت نان',
  }),
  ...area('labels.rate_category', {
    bar: 'نرخ عادی',
    'non-refundable': 'نرخ غیرقابل استرداد',
    weekly: 'نرخ هفته‌وار',
    corporate: 'نرخ شرکت‌ها',
    government: 'نرخ دولتی',
  }),
  ...area('labels.cancellation', {
    free: 'لغو رایگان',
    partial: 'بخشی قابل استرداد',
    none: 'غیرقابل استرداد',
  }),
  ...area('labels.cancellation_policy', {
    free: 'لغو رایگان تا وقت معین، پس از آن تمام بها',
    partial: 'لغو رایگان تا وقت معین، پس از آن بخشی از بها',
    none: 'بدون لغو رایگان',
  }),
  ...area('labels.cancellation_filter', {
    free: 'لغو رایگان',
    partial: 'دست‌کم بخشی قابل استرداد',
    any: 'هر شرطی',
  }),
  ...area('labels.payment_method', {
    card: 'کارت',
    cash_on_arrival: 'پول نقد در هوتل',
    mobile_money: 'پول موبایل',
  }),
  ...area('labels.payment_timing', {
    now: 'پرداخت هنگام رزرو',
    at_hotel: 'پرداخت در هوتل',
    either: 'پرداخت اکنون یا در هوتل',
  }),
  ...area('labels.charge', { tax: 'مالیه', fee: 'هزینه' }),
  ...area('labels.price_line', {
    night: 'شب',
    extra: 'مهمان اضافی',
    discount: 'تخفیف',
    promotion: 'تخفیف ویژه',
    fee: 'هزینه',
    tax: 'مالیه',
  }),
  ...area('labels.price_per', { night: 'برای یک شب', stay: 'برای تمام اقامت' }),
  ...area('labels.price_currency', {
    'user-preferred': 'به واحد پولی شما',
    tenant: 'به واحد پولی هوتل',
    fallback: 'به واحد پولی دیگر، زیرا واحد شما تبدیل نمی‌شود',
  }),
}

/** Of hotels and their rooms. */
const house = {
  ...area('labels.property_type', {
    hotel: 'هوتل',
    guesthouse: 'مهمان‌خانه',
    hostel: 'هاستل',
    apartment: 'آپارتمان',
  }),
  ...area('labels.badge', {
    newProperty: 'نو',
    shariaCompliant: 'مطابق احکام شریعت',
    crossRegionDelivery: 'صفحهٔ رزرو شاید کندتر باشد',
  }),
  ...area('labels.room', {
    king: 'اتاق با تخت بزرگ',
    twin: 'اتاق دو تخته',
    suite: 'سویت',
    family: 'اتاق خانوادگی',
    dorm: 'اتاق مشترک',
    apartment: 'آپارتمان',
  }),
  ...area('labels.bed', {
    king: '{count, plural, =0 {تخت بسیار بزرگ} one {# تخت بسیار بزرگ} other {# تخت بسیار بزرگ}}',
    queen: '{count, plural, =0 {تخت بزرگ} one {# تخت بزرگ} other {# تخت بزرگ}}',
    single: '{count, plural, =0 {تخت یک‌نفره} one {# تخت یک‌نفره} other {# تخت یک‌نفره}}',
    bunk: '{count, plural, =0 {تخت دومنزله} one {# تخت دومنزله} other {# تخت دومنزله}}',
    sofa: '{count, plural, =0 {کوچ تخت‌شو} one {# کوچ تخت‌شو} other {# کوچ تخت‌شو}}',
  }),
  ...area('labels.photo', {
    exterior: 'ساختمان',
    courtyard: 'حویلی',
    room: 'اتاق',
    dining: 'رستوران',
    view: 'منظره',
  }),
  ...area('labels.identity_document', {
    passport: 'پاسپورت',
    visa: 'ویزه',
    national_id: 'تذکره',
    driving_licence: 'جواز رانندگی',
    marriage_certificate: 'نکاح‌خط',
  }),
  ...area('labels.review_aspect', {
    cleanliness: 'پاکی',
    staff: 'کارکنان',
    location: 'موقعیت',
    comfort: 'آسایش',
    value: 'ارزش در برابر بها',
    facilities: 'امکانات',
  }),
  ...area('labels.travellers', {
    solo: 'مسافر تنها',
    couple: 'زن و شوهر',
    family: 'خانواده',
    friends: 'دوستان',
    business: 'سفر کاری',
  }),
}

/** Of the amenities of the platform. */
const amenities = area('labels.amenity', {
  wifi: 'وای‌فای رایگان',
  breakfast: 'صبحانه',
  'halal-kitchen': 'آشپزخانه حلال',
  'prayer-room': 'نمازخانه',
  generator: 'جنراتور شخصی',
  'women-only-floor': 'منزل ویژه خانم‌ها',
  'airport-pickup': 'ترانسفر میدان هوایی',
  parking: 'پارکینگ',
  restaurant: 'رستوران',
  'room-service': 'خدمات اتاق',
  laundry: 'خشک‌شویی',
  'air-conditioning': 'ایرکندیشن',
  heating: 'گرمایش',
  elevator: 'لفت',
  garden: 'باغ',
  courtyard: 'حویلی',
  'rooftop-terrace': 'تراس بام',
  'tea-house': 'چایخانه',
  'family-rooms': 'اتاق‌های خانوادگی',
  'meeting-room': 'اتاق جلسه',
  'security-guard': 'نگهبان شبانه‌روزی',
  kitchenette: 'آشپزخانه کوچک',
  gym: 'باشگاه ورزشی',
  pool: 'حوض شنا',
  hammam: 'حمام سنتی',
  'step-free': 'دسترسی بدون پله',
})

/** Of searches and lists. */
const search = {
  ...area('labels.place', {
    city: 'شهر',
    region: 'ولایت',
    neighbourhood: 'محله',
    landmark: 'جای دیدنی',
    property: 'هوتل',
  }),
  ...area('labels.suggestion', {
    popular: 'پرطرفدار',
    exact: 'نام برابر',
    similar: 'نام مشابه',
  }),
  ...area('labels.alternative', {
    similar_name: 'نام مشابه',
    nearby: 'نزدیک',
    popular: 'پرطرفدار',
  }),
  ...area('labels.sort', {
    recommended: 'پیشنهادی',
    'price-asc': 'نخست کمترین بها',
    'price-desc': 'نخست بیشترین بها',
    'rating-desc': 'نخست بهترین نمره',
    'distance-asc': 'نخست نزدیک‌ترین',
  }),
  ...area('labels.section', {
    fresh: 'تازه',
    stale: 'شاید کهنه باشد',
    missing: 'فعلاً در دسترس نیست',
  }),
  ...area('labels.missing_hotel', {
    'not-found': 'این هوتل دیگر در فهرست نیست',
    'not-loaded': 'این هوتل فعلاً نشان داده نمی‌شود',
  }),
  ...area('labels.unavailable_wish', {
    'off-sale': 'این هوتل دیگر در فهرست نیست',
    'not-loaded': 'این هوتل فعلاً نشان داده نمی‌شود',
  }),
}

/** Texts of values that pages show; `count` is 0 where it is not known. */
export const labels = { ...stay, ...house, ...amenities, ...search }
