import { area } from '../area.ts'
import { AGAIN, FROM_SEARCH, NOT_NOW, OTHER_STAY } from './repeated.ts'

const LINK_USED = `این لینک رزرو پیش‌تر استفاده شده است. ${FROM_SEARCH}`
const LINK_EXPIRED = `مدت این لینک رزرو پایان یافته است. ${FROM_SEARCH}`
const LINK_INVALID = `این لینک رزرو معتبر نیست. ${FROM_SEARCH}`
const LANGUAGE = 'این زبان موجود نیست. لطفاً زبان دیگری انتخاب کنید.'
const CURRENCY = 'این واحد پولی موجود نیست. لطفاً واحد دیگری انتخاب کنید.'
const OUR_SIDE = 'از طرف ما مشکلی پیش آمد. لطفاً بعداً دوباره کوشش کنید.'

export const bff = {
  ...area('errors.bff', {
    upstream_unavailable: `بخشی از خدمت فعلاً در دسترس نیست. ${AGAIN}`,
    upstream_timeout: `بخشی از خدمت به‌موقع پاسخ نداد. ${AGAIN}`,
    upstream_contract_broken: OUR_SIDE,
    upstream_request_rejected: OUR_SIDE,
    surface_mismatch: 'این صفحه در آدرس دیگری است. لطفاً از آدرس اپلیکیشن استفاده کنید.',
  }),
  ...area('errors.bff.consumer', {
    wishlist_limit_exceeded: 'فهرست دلخواه شما پر است. لطفاً نخست یک هوتل را از آن بردارید.',
    handoff_replayed: LINK_USED,
    handoff_expired: LINK_EXPIRED,
    handoff_signature_invalid: LINK_INVALID,
    handoff_field_invalid: 'یکی از معلومات رزرو شما درست نیست. لطفاً آن را بررسی کنید.',
    stay_not_bookable: 'این اقامت را نمی‌توان رزرو کرد. لطفاً تاریخ، اتاق یا هوتل دیگری انتخاب کنید.',
    tenant_suspended: 'این هوتل فعلاً رزرو نمی‌پذیرد. لطفاً هوتل دیگری انتخاب کنید.',
    suspected_bot: 'لطفاً تأیید کنید که ربات نیستید.',
    upstream_budget_exceeded: `جستجو بسیار وقت گرفت. ${AGAIN}`,
    locale_not_supported: LANGUAGE,
    currency_not_supported: CURRENCY,
  }),
  ...area('errors.bff.backoffice', {
    role_forbidden: 'وظیفهٔ شما اجازهٔ این کار را نمی‌دهد.',
    cursor_invalid: 'این فهرست تغییر کرده است. لطفاً آن را دوباره باز کنید.',
    lock_action_open: 'روی این کلیدها هنوز عملیات دیگری در جریان است. لطفاً منتظر نتیجهٔ آن باشید.',
    lock_action_not_executed: 'سیستم قفل‌ها فرمان را اجرا نکرد. لطفاً عملیات تازه‌ای آغاز کنید.',
    key_exists: 'این اتاق از قبل کلیدی از همین نوع دارد.',
    intent_id_reused: 'این کار پیش‌تر با معلومات دیگری فرستاده شده است. لطفاً دوباره بنویسید.',
    intent_expired: 'این کار از هفت روز کهنه‌تر است. لطفاً آن را آنلاین دوباره انجام دهید.',
    intent_dependency_failed: 'کار پیشینی که این کار به آن وابسته است، انجام نشد.',
    upstream_budget_exceeded: `این کار بسیار وقت گرفت. ${AGAIN}`,
    locale_not_supported: LANGUAGE,
  }),
  ...area('errors.bff.tenant', {
    details_invalid: 'بعضی از معلومات شما درست نیست. لطفاً آن‌ها را بررسی کنید.',
    confirmation_not_found: 'این تأیید پیدا نشد. لطفاً لینکی را که دریافت کرده‌اید باز کنید.',
    site_not_found: 'در این آدرس سایت رزرو وجود ندارد.',
    site_suspended: 'این هوتل فعلاً رزرو نمی‌پذیرد. لطفاً با هوتل تماس بگیرید.',
    bootstrap_stale: 'نسخهٔ تازه‌ای از این صفحه موجود است. لطفاً صفحه را تازه کنید.',
    handoff_replayed: LINK_USED,
    handoff_expired: LINK_EXPIRED,
    handoff_signature_invalid: LINK_INVALID,
    handoff_not_found: 'این لینک رزرو مربوط به هوتل دیگری است.',
    draft_not_found: 'این رزرو پیدا نشد. لطفاً از نو آغاز کنید.',
    draft_ended: 'این رزرو پایان یافته است. لطفاً از نو آغاز کنید.',
    draft_illegal_transition: NOT_NOW,
    draft_version_conflict: 'این رزرو در پنجرهٔ دیگری تغییر کرده است. لطفاً دوباره ببینید.',
    hold_expired: 'اتاق دیگر برای شما نگه داشته نشده است. لطفاً آن را دوباره انتخاب کنید.',
    sold_out: `از این نوع اتاق باقی نمانده است. ${OTHER_STAY}`,
    price_changed: 'بها تغییر کرده است. لطفاً بهای نو را ببینید.',
    stay_gone: `این اقامت دیگر رزرو نمی‌شود. ${OTHER_STAY}`,
    consent_required: 'شرایط تغییر کرده است. لطفاً آن را بخوانید و بپذیرید.',
    details_required: 'لطفاً نخست معلومات خود را بنویسید.',
    payment_in_progress: `یک پرداخت در جریان است. ${AGAIN}`,
    payment_captured: 'پول این رزرو پرداخت شده است. لطفاً دوباره نپردازید.',
    extension_limit: 'اتاق را بیش از این نمی‌توان نگه داشت. لطفاً رزرو را تکمیل کنید.',
    quote_unavailable: `بها را فعلاً نمی‌توان تعیین کرد. ${AGAIN}`,
    locale_not_supported: LANGUAGE,
    currency_not_supported: CURRENCY,
    upstream_budget_exceeded: `این کار بسیار وقت گرفت. ${AGAIN}`,
    webhook_rejected: 'پیام شرکت پرداخت تأیید نشد.',
  }),
}
