import { area } from '../area.ts'
import { AGAIN, RELOAD, SIGN_IN } from './repeated.ts'

export const platform = {
  ...area('errors.general', {
    resource_not_found: 'چیزی که جستجو می‌کنید پیدا نشد.',
    route_not_found: 'این آدرس وجود ندارد.',
    method_not_allowed: 'این کار در این‌جا ممکن نیست.',
    validation_failed:
      '{errorCount, plural, =0 {بعضی معلومات درست نیست. لطفاً آن‌ها را بررسی کنید.} ' +
      'one {یک مورد درست نیست. لطفاً آن را بررسی کنید.} ' +
      'other {# مورد درست نیست. لطفاً آن‌ها را بررسی کنید.}}',
    malformed_body: `درخواست خوانده نشد. ${RELOAD}`,
    unsupported_media_type: `قالب درخواست پشتیبانی نمی‌شود. ${RELOAD}`,
    payload_too_large: 'این مقدار معلومات برای یک بار زیاد است. لطفاً کمتر بفرستید.',
    headers_too_large:
      'مرورگر شما معلومات زیاد می‌فرستد. لطفاً کوکی‌های این سایت را پاک کنید و دوباره کوشش کنید.',
    request_timeout: `اتصال کند است و درخواست شما کامل نرسید. ${AGAIN}`,
    not_acceptable: 'این نسخهٔ اپلیکیشن پشتیبانی نمی‌شود. لطفاً آن را تازه کنید.',
    cross_site_request: 'برای امنیت شما، درخواست‌های سایت‌های دیگر رد می‌شود.',
    unauthenticated: 'لطفاً نخست وارد شوید.',
    forbidden: 'شما اجازهٔ این کار را ندارید.',
    rate_limited: `شما درخواست‌های زیادی فرستاده‌اید. ${AGAIN}`,
    internal: 'از طرف ما مشکلی پیش آمد. لطفاً بعداً دوباره کوشش کنید.',
    overloaded: `همین اکنون افراد زیادی از این خدمت استفاده می‌کنند. ${AGAIN}`,
    shutting_down: `خدمت در حال آغاز دوباره است. ${AGAIN}`,
    deadline_exceeded: `این کار بسیار وقت گرفت. ${AGAIN}`,
    dependency_unavailable: `بخشی از خدمت فعلاً در دسترس نیست. ${AGAIN}`,
    conflict: `در همین لحظه کس دیگری تغییری آورد. ${AGAIN}`,
    event_refused: 'معلومات درست نیست و ثبت نشد.',
  }),
  ...area('errors.idempotency', {
    key_missing: `درخواست ناقص است. ${RELOAD}`,
    key_invalid: `درخواست درست نیست. ${RELOAD}`,
    key_reused: `این درخواست پیش‌تر با معلومات دیگری فرستاده شده است. ${RELOAD}`,
    in_flight: `درخواست شما هنوز در حال اجرا است. ${AGAIN}`,
  }),
  ...area('errors.session', {
    cookie_invalid: 'بازدید شما پایان یافته است. برای آغاز دوباره صفحه را از نو باز کنید.',
    revoked: `شما از حساب خارج شده‌اید. ${SIGN_IN}`,
  }),
  ...area('errors.security', {
    token_invalid: `ورود شما معتبر نیست. ${SIGN_IN}`,
    token_expired: `مدت ورود شما پایان یافته است. ${SIGN_IN}`,
    device_mismatch: `شما در دستگاه دیگری وارد شده‌اید. ${SIGN_IN}`,
    step_up_required: 'لطفاً با تأیید دوم نشان دهید که خود شما هستید.',
    dpop_proof_invalid: 'این دستگاه هویت خود را ثابت نکرد. ساعت آن را ببینید و دوباره وارد شوید.',
    dpop_replayed: 'برای امنیت شما، درخواست تکراری رد شد. لطفاً دوباره کوشش کنید.',
    dpop_nonce_required: 'این دستگاه باید هویت خود را دوباره ثابت کند. لطفاً دوباره کوشش کنید.',
  }),
  ...area('errors.iam', {
    invalid_credentials: 'هوتل، نام کاربر یا رمز عبور نادرست است.',
    refresh_invalid: `ورود شما دیگر معتبر نیست. ${SIGN_IN}`,
    refresh_reused: `برای امنیت شما، از حساب خارج شدید. ${SIGN_IN}`,
    session_not_found: `ورود شما پیدا نشد. ${SIGN_IN}`,
    operator_not_found: 'این کارمند پیدا نشد.',
    mfa_failed: 'کود نادرست است. لطفاً کود بعدی را بنویسید.',
    mfa_locked:
      '{retryAfterMinutes, plural, =0 {کودهای نادرست زیادی نوشته شد. چند دقیقه صبر کنید.} ' +
      'one {کودهای نادرست زیادی نوشته شد. # دقیقه صبر کنید.} ' +
      'other {کودهای نادرست زیادی نوشته شد. # دقیقه صبر کنید.}}',
  }),
  ...area('errors.job', {
    unknown: 'این کار وجود ندارد.',
    already_running: `این کار همین اکنون در جریان است. ${AGAIN}`,
  }),
}
