import { area } from '../area.ts'
import { AGAIN, FROM_SEARCH, NOT_NOW, OTHER_STAY } from './repeated.ts'

const LINK_USED = `د بکنګ دا لینک مخکې کارول شوی دی. ${FROM_SEARCH}`
const LINK_EXPIRED = `د بکنګ د دې لینک وخت پای ته رسېدلی دی. ${FROM_SEARCH}`
const LINK_INVALID = `د بکنګ دا لینک سم نه دی. ${FROM_SEARCH}`
const LANGUAGE = 'دا ژبه نشته. مهرباني وکړئ بله وټاکئ.'
const CURRENCY = 'دا پولي واحد نشته. مهرباني وکړئ بل وټاکئ.'
const OUR_SIDE = 'زموږ له خوا ستونزه رامنځته شوه. مهرباني وکړئ وروسته بیا هڅه وکړئ.'

export const bff = {
  ...area('errors.bff', {
    upstream_unavailable: `د خدمت یوه برخه اوس مهال نشته. ${AGAIN}`,
    upstream_timeout: `د خدمت یوې برخې پر وخت ځواب ورنه کړ. ${AGAIN}`,
    upstream_contract_broken: OUR_SIDE,
    upstream_request_rejected: OUR_SIDE,
    surface_mismatch: 'دا پاڼه په بله پته ده. مهرباني وکړئ د اپلیکېشن پته وکاروئ.',
  }),
  ...area('errors.bff.consumer', {
    wishlist_limit_exceeded: 'ستاسو د خوښې لېست ډک دی. مهرباني وکړئ لومړی یو هوټل ترې لرې کړئ.',
    handoff_replayed: LINK_USED,
    handoff_expired: LINK_EXPIRED,
    handoff_signature_invalid: LINK_INVALID,
    handoff_field_invalid: 'ستاسو د بکنګ یوه برخه سمه نه ده. مهرباني وکړئ ویې ګورئ.',
    stay_not_bookable:
      'دا استوګنه نشي بک کېدای. مهرباني وکړئ نورې نېټې، بله خونه یا بل هوټل وټاکئ.',
    tenant_suspended: 'دا هوټل اوس مهال بکنګ نه مني. مهرباني وکړئ بل هوټل وټاکئ.',
    suspected_bot: 'مهرباني وکړئ تایید کړئ چې تاسو روبوټ نه یاست.',
    upstream_budget_exceeded: `لټون ډېر وخت ونیو. ${AGAIN}`,
    locale_not_supported: LANGUAGE,
    currency_not_supported: CURRENCY,
  }),
  ...area('errors.bff.backoffice', {
    role_forbidden: 'ستاسو دنده د دې کار اجازه نه ورکوي.',
    cursor_invalid: 'دا لېست بدل شوی دی. مهرباني وکړئ بیا یې پرانیزئ.',
    lock_action_open: 'پر دې کیلیو لا بل کار روان دی. مهرباني وکړئ پایلې ته یې انتظار وکړئ.',
    lock_action_not_executed: 'د قلفونو سیستم امر تر سره نه کړ. مهرباني وکړئ نوی کار پیل کړئ.',
    key_exists: 'خونه لا دمخه د همدې ډول کیلي لري.',
    intent_id_reused: 'دا کار مخکې له نورو معلوماتو سره لېږل شوی دی. مهرباني وکړئ بیا یې ولیکئ.',
    intent_expired: 'دا کار له اوو ورځو زوړ دی. مهرباني وکړئ انلاین یې بیا وکړئ.',
    intent_dependency_failed: 'هغه مخکینی کار چې دا ورپورې اړه لري، تر سره نه شو.',
    upstream_budget_exceeded: `دې کار ډېر وخت ونیو. ${AGAIN}`,
    locale_not_supported: LANGUAGE,
  }),
  ...area('errors.bff.tenant', {
    details_invalid: 'ستاسو ځینې معلومات سم نه دي. مهرباني وکړئ ویې ګورئ.',
    confirmation_not_found: 'دا تایید ونه موندل شو. مهرباني وکړئ هغه لینک پرانیزئ چې درکړل شوی دی.',
    site_not_found: 'په دې پته د بکنګ سایټ نشته.',
    site_suspended: 'دا هوټل اوس مهال بکنګ نه مني. مهرباني وکړئ له هوټل سره اړیکه ونیسئ.',
    bootstrap_stale: 'د دې پاڼې نوې نسخه شته. مهرباني وکړئ پاڼه تازه کړئ.',
    handoff_replayed: LINK_USED,
    handoff_expired: LINK_EXPIRED,
    handoff_signature_invalid: LINK_INVALID,
    handoff_not_found: 'د بکنګ دا لینک د بل هوټل دی.',
    draft_not_found: 'دا بکنګ ونه موندل شو. مهرباني وکړئ له سره پیل وکړئ.',
    draft_ended: 'دا بکنګ پای ته رسېدلی دی. مهرباني وکړئ له سره پیل وکړئ.',
    draft_illegal_transition: NOT_NOW,
    draft_version_conflict: 'دا بکنګ په بله کړکۍ کې بدل شوی دی. مهرباني وکړئ بیا یې وګورئ.',
    hold_expired: 'خونه نوره ستاسو لپاره نه ده ساتل شوې. مهرباني وکړئ بیا یې وټاکئ.',
    sold_out: `د دې ډول خونه پاتې نه ده. ${OTHER_STAY}`,
    price_changed: 'بیه بدله شوې ده. مهرباني وکړئ نوې بیه وګورئ.',
    stay_gone: `دا استوګنه نوره نشي بک کېدای. ${OTHER_STAY}`,
    consent_required: 'شرطونه بدل شوي دي. مهرباني وکړئ ویې لولئ او ویې منئ.',
    details_required: 'مهرباني وکړئ لومړی خپل معلومات ولیکئ.',
    payment_in_progress: `یوه تادیه روانه ده. ${AGAIN}`,
    payment_captured: 'د دې بکنګ پیسې ورکړل شوې دي. مهرباني وکړئ بیا تادیه مه کوئ.',
    extension_limit: 'خونه له دې زیاته نشي ساتل کېدای. مهرباني وکړئ بکنګ بشپړ کړئ.',
    quote_unavailable: `بیه اوس مهال نشي ټاکل کېدای. ${AGAIN}`,
    locale_not_supported: LANGUAGE,
    currency_not_supported: CURRENCY,
    upstream_budget_exceeded: `دې کار ډېر وخت ونیو. ${AGAIN}`,
    webhook_rejected: 'د تادیې د شرکت پیغام تایید نه شو.',
  }),
}
