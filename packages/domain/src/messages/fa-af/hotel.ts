import { area } from '../area.ts'
import { CHANGED, NOT_NOW, OTHER_STAY } from './repeated.ts'

const DATES = 'لطفاً تاریخ‌های اقامت خود را بررسی کنید.'
const HOLD_EXPIRED = 'اتاق دیگر برای شما نگه داشته نشده است. لطفاً آن را دوباره انتخاب کنید.'

export const hotel = {
  ...area('errors.tenant', {
    context_missing: 'از طرف ما مشکلی پیش آمد. لطفاً بعداً دوباره کوشش کنید.',
    not_found: 'این هوتل پیدا نشد.',
    suspended: 'این هوتل فعلاً رزرو نمی‌پذیرد.',
    slug_taken: 'این نام کوتاه پیش‌تر گرفته شده است. لطفاً نام دیگری انتخاب کنید.',
    domain_taken: 'این دامنه پیش‌تر گرفته شده است. لطفاً دامنهٔ دیگری انتخاب کنید.',
    illegal_transition: NOT_NOW,
    payment_not_configured: 'این هوتل هنوز نمی‌تواند پرداخت بپذیرد.',
    context_required: 'لطفاً نخست یک هوتل انتخاب کنید.',
    operator_not_found: 'این کارمند پیدا نشد.',
    version_conflict: CHANGED,
  }),
  ...area('errors.theme', {
    not_found: 'طرح این هوتل پیدا نشد.',
    version_not_found: 'این نسخهٔ طرح پیدا نشد.',
    contrast_too_low: 'این رنگ‌ها به سختی خوانده می‌شود. لطفاً رنگ‌های واضح‌تر انتخاب کنید.',
  }),
  ...area('errors.property', {
    not_found: 'این هوتل پیدا نشد. شاید دیگر در فهرست نباشد.',
  }),
  ...area('errors.search', {
    cursor_invalid: 'این فهرست تغییر کرده است. لطفاً از صفحهٔ اول آغاز کنید.',
    area_invalid: 'لطفاً منطقهٔ دیگری برای جستجو انتخاب کنید.',
    stay_invalid: DATES,
    price_range_invalid: 'کمترین بها نباید از بیشترین بها زیادتر باشد.',
  }),
  ...area('errors.pricing', {
    stay_invalid: DATES,
    no_rate: `برای این اقامت بها موجود نیست. ${OTHER_STAY}`,
    restricted: 'این نرخ برای این تاریخ‌ها موجود نیست. لطفاً روز ورود یا خروج را تغییر دهید.',
    rate_plan_not_found: 'این نرخ پیدا نشد. لطفاً نرخ دیگری انتخاب کنید.',
    quote_not_found: 'این بها پیدا نشد. لطفاً اتاق را دوباره انتخاب کنید.',
    quote_expired: 'این بها دیگر اعتبار ندارد. لطفاً اتاق را دوباره انتخاب کنید.',
    promotion_refused: 'این کود تخفیف برای اقامت شما نیست.',
    fx_snapshot_stale:
      'نرخ‌های اسعار کهنه است. لطفاً واحد پولی هوتل را به کار ببرید یا بعداً کوشش کنید.',
    price_changed: 'بها تغییر کرده است. لطفاً بهای نو را ببینید.',
  }),
  ...area('errors.inventory', {
    insufficient_availability: `اتاق خالی به اندازهٔ کافی نیست. ${OTHER_STAY}`,
    stay_invalid: DATES,
    room_type_not_found: 'این نوع اتاق پیدا نشد.',
    hold_not_found: HOLD_EXPIRED,
    hold_expired: HOLD_EXPIRED,
    hold_settled: 'این اتاق پیش‌تر رزرو یا آزاد شده است.',
    extension_refused: 'اتاق را بیش از این نمی‌توان نگه داشت. لطفاً رزرو را تکمیل کنید.',
    below_committed: 'بیش از این تعداد اتاق رزرو شده است. لطفاً نخست اقامت‌ها را جابه‌جا یا لغو کنید.',
    room_taken: 'این اتاق برای بعضی از این شب‌ها داده شده است. لطفاً اتاق دیگری انتخاب کنید.',
    room_not_found: 'این اتاق پیدا نشد.',
    rooms_assigned: 'همهٔ اتاق‌های این اقامت شماره دارند.',
    hold_limit_reached: 'شما اتاق‌های زیادی نگه داشته‌اید. لطفاً نخست یکی را رزرو کنید یا آزاد سازید.',
    hold_of_reservation: 'این اتاق مربوط به یک رزرو است. لطفاً رزرو را تغییر دهید.',
  }),
  ...area('errors.reservation', {
    not_found: 'این رزرو پیدا نشد.',
    overbooking_blocked: `اتاق‌ها دیگر خالی نیست. ${OTHER_STAY}`,
    hold_active: 'برای این رزرو اتاقی نگه داشته شده است. لطفاً با همان ادامه دهید.',
    hold_expired: HOLD_EXPIRED,
    illegal_transition: NOT_NOW,
    quote_mismatch: 'این بها مربوط به اقامت دیگری است. لطفاً اتاق را دوباره انتخاب کنید.',
    version_conflict: CHANGED,
    room_not_ready: 'اتاق هنوز آماده نیست. لطفاً صبر کنید یا اتاق دیگری انتخاب کنید.',
    room_not_available: 'اتاق خالی نیست. لطفاً اتاق دیگری انتخاب کنید.',
    rooms_mismatch: 'این اتاق‌ها مربوط به رزرو نیست. لطفاً اتاق‌های رزرو شده را انتخاب کنید.',
    dates_invalid: DATES,
  }),
}
