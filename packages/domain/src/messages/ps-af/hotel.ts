import { area } from '../area.ts'
import { CHANGED, NOT_NOW, OTHER_STAY } from './repeated.ts'

const DATES = 'مهرباني وکړئ د خپلې استوګنې نېټې وګورئ.'
const HOLD_EXPIRED = 'خونه نوره ستاسو لپاره نه ده ساتل شوې. مهرباني وکړئ بیا یې وټاکئ.'

export const hotel = {
  ...area('errors.tenant', {
    context_missing: 'زموږ له خوا ستونزه رامنځته شوه. مهرباني وکړئ وروسته بیا هڅه وکړئ.',
    not_found: 'دا هوټل ونه موندل شو.',
    suspended: 'دا هوټل اوس مهال بکنګ نه مني.',
    slug_taken: 'دا لنډ نوم مخکې کارول شوی دی. مهرباني وکړئ بل وټاکئ.',
    domain_taken: 'دا ډومېن مخکې کارول شوی دی. مهرباني وکړئ بل وټاکئ.',
    illegal_transition: NOT_NOW,
    payment_not_configured: 'دا هوټل لا تادیه نشي منلای.',
    context_required: 'مهرباني وکړئ لومړی یو هوټل وټاکئ.',
    operator_not_found: 'دا کارکوونکی ونه موندل شو.',
    version_conflict: CHANGED,
  }),
  ...area('errors.theme', {
    not_found: 'د دې هوټل ډیزاین ونه موندل شو.',
    version_not_found: 'د ډیزاین دا نسخه ونه موندل شوه.',
    contrast_too_low: 'دا رنګونه په سختۍ لوستل کېږي. مهرباني وکړئ څرګند رنګونه وټاکئ.',
  }),
  ...area('errors.property', {
    not_found: 'دا هوټل ونه موندل شو. ښايي نور په لېست کې نه وي.',
  }),
  ...area('errors.search', {
    cursor_invalid: 'دا لېست بدل شوی دی. مهرباني وکړئ له لومړۍ پاڼې بیا پیل وکړئ.',
    area_invalid: 'مهرباني وکړئ د لټون لپاره بله سیمه وټاکئ.',
    stay_invalid: DATES,
    price_range_invalid: 'ټیټه بیه باید له لوړې بیې زیاته نه وي.',
  }),
  ...area('errors.pricing', {
    stay_invalid: DATES,
    no_rate: `د دې استوګنې لپاره بیه نشته. ${OTHER_STAY}`,
    restricted: 'دا نرخ د دې نېټو لپاره نشته. مهرباني وکړئ د رسېدو یا وتلو ورځ بدله کړئ.',
    rate_plan_not_found: 'دا نرخ ونه موندل شو. مهرباني وکړئ بل وټاکئ.',
    quote_not_found: 'دا بیه ونه موندل شوه. مهرباني وکړئ خونه بیا وټاکئ.',
    quote_expired: 'دا بیه نوره د اعتبار وړ نه ده. مهرباني وکړئ خونه بیا وټاکئ.',
    promotion_refused: 'د تخفیف دا کوډ ستاسو د استوګنې لپاره نه دی.',
    fx_snapshot_stale:
      'د اسعارو نرخونه زاړه دي. مهرباني وکړئ د هوټل پولي واحد وکاروئ، یا وروسته هڅه وکړئ.',
    price_changed: 'بیه بدله شوې ده. مهرباني وکړئ نوې بیه وګورئ.',
  }),
  ...area('errors.inventory', {
    insufficient_availability: `کافي خونې خالي نه دي. ${OTHER_STAY}`,
    stay_invalid: DATES,
    room_type_not_found: 'د خونې دا ډول ونه موندل شو.',
    hold_not_found: HOLD_EXPIRED,
    hold_expired: HOLD_EXPIRED,
    hold_settled: 'دا خونه مخکې بک شوې یا خوشې شوې ده.',
    extension_refused: 'خونه له دې زیاته نشي ساتل کېدای. مهرباني وکړئ بکنګ بشپړ کړئ.',
    below_committed: 'له دې زیاتې خونې بک شوې دي. مهرباني وکړئ لومړی استوګنې ولېږدوئ یا لغوه کړئ.',
    room_taken: 'دا خونه په ځینو شپو کې ورکړل شوې ده. مهرباني وکړئ بله خونه وټاکئ.',
    room_not_found: 'دا خونه ونه موندل شوه.',
    rooms_assigned: 'د دې استوګنې ټولې خونې لا دمخه شمېرې لري.',
    hold_limit_reached: 'تاسو ډېرې خونې ساتلې دي. مهرباني وکړئ لومړی یوه یې بک کړئ یا خوشې کړئ.',
    hold_of_reservation: 'دا خونه د یوه بکنګ ده. مهرباني وکړئ بکنګ بدل کړئ.',
  }),
  ...area('errors.reservation', {
    not_found: 'دا بکنګ ونه موندل شو.',
    overbooking_blocked: `خونې نورې خالي نه دي. ${OTHER_STAY}`,
    hold_active: 'د دې بکنګ لپاره یوه خونه ساتل شوې ده. مهرباني وکړئ له همدې سره دوام ورکړئ.',
    hold_expired: HOLD_EXPIRED,
    illegal_transition: NOT_NOW,
    quote_mismatch: 'دا بیه د بلې استوګنې ده. مهرباني وکړئ خونه بیا وټاکئ.',
    version_conflict: CHANGED,
    room_not_ready: 'خونه لا چمتو نه ده. مهرباني وکړئ انتظار وکړئ یا بله خونه وټاکئ.',
    room_not_available: 'خونه خالي نه ده. مهرباني وکړئ بله خونه وټاکئ.',
    rooms_mismatch: 'دا خونې د بکنګ خونې نه دي. مهرباني وکړئ بک شوې خونې وټاکئ.',
    dates_invalid: DATES,
  }),
}
