import { area } from '../area.ts'
import { AGAIN, RELOAD, SIGN_IN } from './repeated.ts'

export const platform = {
  ...area('errors.general', {
    resource_not_found: 'هغه څه چې تاسو یې لټوئ، ونه موندل شول.',
    route_not_found: 'دا پته شتون نه لري.',
    method_not_allowed: 'دا کار دلته نشي کېدای.',
    validation_failed:
      '{errorCount, plural, =0 {ځینې برخې سمې نه دي. مهرباني وکړئ ویې ګورئ.} ' +
      'one {یوه برخه سمه نه ده. مهرباني وکړئ ویې ګورئ.} ' +
      'other {# برخې سمې نه دي. مهرباني وکړئ ویې ګورئ.}}',
    malformed_body: `غوښتنه ونه لوستل شوه. ${RELOAD}`,
    unsupported_media_type: `د غوښتنې بڼه نه منل کېږي. ${RELOAD}`,
    payload_too_large: 'دا په یوه ځل ډېر معلومات دي. مهرباني وکړئ لږ یې ولېږئ.',
    headers_too_large:
      'ستاسو براوزر ډېر معلومات لېږي. مهرباني وکړئ د دې سایټ کوکیز پاک کړئ او بیا هڅه وکړئ.',
    request_timeout: `اړیکه ورو ده او ستاسو غوښتنه بشپړه ونه رسېده. ${AGAIN}`,
    not_acceptable: 'د اپلیکېشن دا نسخه نه منل کېږي. مهرباني وکړئ نوې یې کړئ.',
    cross_site_request: 'ستاسو د امنیت لپاره د نورو سایټونو غوښتنې نه منل کېږي.',
    unauthenticated: 'مهرباني وکړئ لومړی ننوځئ.',
    forbidden: 'تاسو د دې کار اجازه نه لرئ.',
    rate_limited: `تاسو ډېرې غوښتنې لېږلې دي. ${AGAIN}`,
    internal: 'زموږ له خوا ستونزه رامنځته شوه. مهرباني وکړئ وروسته بیا هڅه وکړئ.',
    overloaded: `اوس ډېر خلک دا خدمت کاروي. ${AGAIN}`,
    shutting_down: `خدمت له سره پیلېږي. ${AGAIN}`,
    deadline_exceeded: `دې کار ډېر وخت ونیو. ${AGAIN}`,
    dependency_unavailable: `د خدمت یوه برخه اوس مهال نشته. ${AGAIN}`,
    conflict: `په همدې شېبه کې بل چا بدلون راوست. ${AGAIN}`,
    event_refused: 'معلومات سم نه دي او خوندي نه شول.',
  }),
  ...area('errors.idempotency', {
    key_missing: `غوښتنه نیمګړې ده. ${RELOAD}`,
    key_invalid: `غوښتنه سمه نه ده. ${RELOAD}`,
    key_reused: `دا غوښتنه مخکې له نورو معلوماتو سره لېږل شوې وه. ${RELOAD}`,
    in_flight: `ستاسو په غوښتنه لا کار روان دی. ${AGAIN}`,
  }),
  ...area('errors.session', {
    cookie_invalid: 'ستاسو لیدنه پای ته رسېدلې ده. د بیا پیل لپاره پاڼه بیا پرانیزئ.',
    revoked: `تاسو له حسابه ایستل شوي یاست. ${SIGN_IN}`,
  }),
  ...area('errors.security', {
    token_invalid: `ستاسو ننوتل د اعتبار وړ نه دي. ${SIGN_IN}`,
    token_expired: `ستاسو د ننوتلو وخت پای ته رسېدلی دی. ${SIGN_IN}`,
    device_mismatch: `تاسو په بله وسیله ننوتي یاست. ${SIGN_IN}`,
    step_up_required: 'مهرباني وکړئ په دویم تایید وښیئ چې دا تاسو یاست.',
    dpop_proof_invalid: 'دې وسیلې خپل هویت ثابت نه کړ. ساعت یې وګورئ او بیا ننوځئ.',
    dpop_replayed: 'ستاسو د امنیت لپاره تکراري غوښتنه رد شوه. مهرباني وکړئ بیا هڅه وکړئ.',
    dpop_nonce_required: 'دا وسیله باید خپل هویت بیا ثابت کړي. مهرباني وکړئ بیا هڅه وکړئ.',
  }),
  ...area('errors.iam', {
    invalid_credentials: 'هوټل، کارن‌نوم یا پټنوم ناسم دی.',
    refresh_invalid: `ستاسو ننوتل نور د اعتبار وړ نه دي. ${SIGN_IN}`,
    refresh_reused: `ستاسو د امنیت لپاره له حسابه وایستل شوئ. ${SIGN_IN}`,
    session_not_found: `ستاسو ننوتل ونه موندل شول. ${SIGN_IN}`,
    operator_not_found: 'دا کارکوونکی ونه موندل شو.',
    mfa_failed: 'کوډ ناسم دی. مهرباني وکړئ راتلونکی کوډ ولیکئ.',
    mfa_locked:
      '{retryAfterMinutes, plural, =0 {ډېر ناسم کوډونه ولیکل شول. څو دقیقې انتظار وکړئ.} ' +
      'one {ډېر ناسم کوډونه ولیکل شول. # دقیقه انتظار وکړئ.} ' +
      'other {ډېر ناسم کوډونه ولیکل شول. # دقیقې انتظار وکړئ.}}',
  }),
  ...area('errors.job', {
    unknown: 'دا کار شتون نه لري.',
    already_running: `دا کار همدا اوس روان دی. ${AGAIN}`,
  }),
}
