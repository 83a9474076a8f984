import { area } from '../area.ts'
import { AGAIN, CHANGED, NOT_NOW } from './repeated.ts'

const ROOM_NOT_FOUND = 'این اتاق در این هوتل پیدا نشد.'

export const desk = {
  ...area('errors.billing', {
    folio_not_found: 'این بل پیدا نشد.',
    charge_not_found: 'این مصرف پیدا نشد.',
    folio_closed: 'این بل بسته است و تغییر نمی‌کند.',
    version_conflict: CHANGED,
    illegal_transition: 'بل تنها وقتی بسته می‌شود که تصفیه شده باشد.',
    currency_mismatch: 'مبلغ باید به واحد پولی بل باشد.',
    negative_amount: 'مبلغ باید بیشتر از صفر باشد.',
  }),
  ...area('errors.payment', {
    intent_not_found: 'این پرداخت پیدا نشد.',
    declined: 'پرداخت رد شد. لطفاً از کارت دیگر یا راه پرداخت دیگری استفاده کنید.',
    method_not_offered: 'این هوتل این راه پرداخت را ندارد. لطفاً راه دیگری انتخاب کنید.',
    illegal_transition: 'در حالت کنونی پرداخت این کار ممکن نیست.',
    refund_too_large: 'مبلغ بازگشتی نباید از مبلغ پرداخت‌شده بیشتر باشد.',
    gateway_unavailable: `شرکت پرداخت فعلاً در دسترس نیست. ${AGAIN}`,
    amount_invalid: 'مبلغ درست نیست.',
    webhook_refused: 'پیام شرکت پرداخت تأیید نشد.',
  }),
  ...area('errors.lock', {
    request_not_found: 'این عملیات روی کلید اتاق پیدا نشد.',
    credential_not_found: 'این کلید اتاق پیدا نشد.',
    vendor_refused: 'سیستم قفل‌ها فرمان را رد کرد. لطفاً عملیات تازه‌ای آغاز کنید.',
    no_capable_device: 'هیچ قفلی این کار را نمی‌تواند. لطفاً از نوع دیگر کلید استفاده کنید.',
    gateway_busy: `سیستم قفل‌ها مصروف است. ${AGAIN}`,
    version_conflict: CHANGED,
    illegal_transition: 'این کلید اتاق فعال نیست.',
    window_invalid: 'پایان کلید باید پس از آغاز آن و در آینده باشد.',
    request_id_reused: 'این عملیات پیش‌تر برای چیز دیگری به کار رفته است. لطفاً از نو آغاز کنید.',
    cursor_invalid: 'این فهرست تغییر کرده است. لطفاً از صفحهٔ اول آغاز کنید.',
  }),
  ...area('errors.notification', {
    alert_not_found: 'این هشدار پیدا نشد.',
    version_conflict: CHANGED,
  }),
  ...area('errors.ai', {
    suggestion_not_found: 'این پیشنهاد پیدا نشد.',
    suggestion_decided: 'دربارهٔ این پیشنهاد پیش‌تر تصمیم گرفته شده است.',
    suggestion_closed: 'مدت این پیشنهاد پایان یافته یا پس گرفته شده است.',
    delta_invalid: 'این تغییر در پیشنهاد درست نیست.',
  }),
  ...area('errors.sync', {
    cursor_not_found: 'این دستگاه هنوز همگام نشده است.',
    cursor_conflict: 'این دستگاه با درخواست دیگری همگام شد. لطفاً دوباره کوشش کنید.',
    token_invalid: 'همگام‌سازی پایان یافته است. لطفاً دوباره کوشش کنید.',
  }),
  ...area('errors.housekeeping', {
    task_not_found: 'این کار صفاکاری پیدا نشد.',
    room_not_found: ROOM_NOT_FOUND,
    room_state_conflict: 'در حالت کنونی اتاق این کار ممکن نیست.',
    version_conflict: CHANGED,
  }),
  ...area('errors.maintenance', {
    work_order_not_found: 'این درخواست ترمیم پیدا نشد.',
    room_not_found: ROOM_NOT_FOUND,
    room_required: 'لطفاً اتاقی را که به خاطر ترمیم بسته می‌شود، مشخص کنید.',
    duplicate_open_work_order: 'این اتاق از قبل یک درخواست ترمیم باز از همین نوع دارد.',
    invalid_status_transition: NOT_NOW,
    work_order_terminal: 'این درخواست ترمیم بسته است. لطفاً درخواست تازه‌ای بسازید.',
    version_conflict: CHANGED,
  }),
}
