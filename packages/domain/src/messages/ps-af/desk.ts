import { area } from '../area.ts'
import { AGAIN, CHANGED, NOT_NOW } from './repeated.ts'

const ROOM_NOT_FOUND = 'دا خونه په دې هوټل کې ونه موندل شوه.'

export const desk = {
  ...area('errors.billing', {
    folio_not_found: 'دا بل ونه موندل شو.',
    charge_not_found: 'دا لګښت ونه موندل شو.',
    folio_closed: 'دا بل تړل شوی دی او نشي بدلېدای.',
    version_conflict: CHANGED,
    illegal_transition: 'بل یوازې هغه وخت تړل کېږي چې تصفیه شوی وي.',
    currency_mismatch: 'مبلغ باید د بل په پولي واحد وي.',
    negative_amount: 'مبلغ باید له صفره زیات وي.',
  }),
  ...area('errors.payment', {
    intent_not_found: 'دا تادیه ونه موندل شوه.',
    declined: 'تادیه رد شوه. مهرباني وکړئ بل کارت یا د تادیې بله لار وکاروئ.',
    method_not_offered: 'دا هوټل د تادیې دا لار نه لري. مهرباني وکړئ بله وټاکئ.',
    illegal_transition: 'د تادیې په اوسني حالت کې دا کار نشي کېدای.',
    refund_too_large: 'بېرته ورکړل شوې پیسې باید له تادیه شوي مبلغ زیاتې نه وي.',
    gateway_unavailable: `د تادیې شرکت اوس مهال ځواب نه ورکوي. ${AGAIN}`,
    amount_invalid: 'مبلغ سم نه دی.',
    webhook_refused: 'د تادیې د شرکت پیغام تایید نه شو.',
  }),
  ...area('errors.lock', {
    request_not_found: 'د خونې پر کیلي دا کار ونه موندل شو.',
    credential_not_found: 'د خونې دا کیلي ونه موندل شوه.',
    vendor_refused: 'د قلفونو سیستم امر رد کړ. مهرباني وکړئ نوی کار پیل کړئ.',
    no_capable_device: 'هېڅ قلف دا کار نشي کولای. مهرباني وکړئ بل ډول کیلي وکاروئ.',
    gateway_busy: `د قلفونو سیستم بوخت دی. ${AGAIN}`,
    version_conflict: CHANGED,
    illegal_transition: 'د خونې دا کیلي فعاله نه ده.',
    window_invalid: 'د کیلي پای باید له پیله وروسته او په راتلونکي کې وي.',
    request_id_reused: 'دا کار مخکې د بل څه لپاره کارول شوی دی. مهرباني وکړئ نوی پیل کړئ.',
    cursor_invalid: 'دا لېست بدل شوی دی. مهرباني وکړئ له لومړۍ پاڼې بیا پیل وکړئ.',
  }),
  ...area('errors.notification', {
    alert_not_found: 'دا خبرتیا ونه موندل شوه.',
    version_conflict: CHANGED,
  }),
  ...area('errors.ai', {
    suggestion_not_found: 'دا وړاندیز ونه موندل شو.',
    suggestion_decided: 'د دې وړاندیز په اړه مخکې پرېکړه شوې ده.',
    suggestion_closed: 'د دې وړاندیز وخت پای ته رسېدلی یا بېرته اخیستل شوی دی.',
    delta_invalid: 'په وړاندیز کې دا بدلون سم نه دی.',
  }),
  ...area('errors.sync', {
    cursor_not_found: 'دا وسیله لا همغږې شوې نه ده.',
    cursor_conflict: 'دا وسیله د بلې غوښتنې له خوا همغږې شوه. مهرباني وکړئ بیا هڅه وکړئ.',
    token_invalid: 'همغږي پای ته رسېدلې ده. مهرباني وکړئ بیا هڅه وکړئ.',
  }),
  ...area('errors.housekeeping', {
    task_not_found: 'د پاکولو دا دنده ونه موندل شوه.',
    room_not_found: ROOM_NOT_FOUND,
    room_state_conflict: 'د خونې په اوسني حالت کې دا کار نشي کېدای.',
    version_conflict: CHANGED,
  }),
  ...area('errors.maintenance', {
    work_order_not_found: 'د ترمیم دا غوښتنه ونه موندل شوه.',
    room_not_found: ROOM_NOT_FOUND,
    room_required: 'مهرباني وکړئ هغه خونه وټاکئ چې د ترمیم له امله بندېږي.',
    duplicate_open_work_order: 'دا خونه لا دمخه د همدې ډول د ترمیم پرانیستې غوښتنه لري.',
    invalid_status_transition: NOT_NOW,
    work_order_terminal: 'د ترمیم دا غوښتنه تړل شوې ده. مهرباني وکړئ نوې جوړه کړئ.',
    version_conflict: CHANGED,
  }),
}
