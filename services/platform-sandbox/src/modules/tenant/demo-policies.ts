import type { Tenant } from '@melmastoon/upstream-contracts/tenant'

/** The policies of every hotel of the demo world. */
export const DEMO_POLICIES: Tenant['config']['policies'] = {
  privacy: {
    default: 'We store your name and contact details only for your stay and as required by law.',
    localized: {
      'ps-AF': 'ستاسو نوم او د اړیکې معلومات یوازې ستاسو د پاتې کېدو او د قانون لپاره ساتو.',
      'fa-AF': 'نام و تماس شما را تنها برای اقامت شما و آنچه قانون می‌خواهد نگه می‌داریم.',
    },
  },
  terms: {
    default:
      'Please bring an identity document. Rooms are paid on arrival unless agreed otherwise.',
    localized: {
      'ps-AF': 'مهرباني وکړئ تذکره راوړئ. د خونې پیسې د رسېدو پر مهال ورکول کېږي.',
      'fa-AF': 'لطفاً تذکره با خود بیاورید. پول اتاق هنگام رسیدن پرداخت می‌شود.',
    },
  },
  accessibility: {
    default: 'Tell us what you need, and we will tell you what we can offer.',
    localized: {
      'ps-AF': 'خپلې اړتیاوې راته ووایاست، موږ به په رښتیا ووایو چې څه کولای شو.',
      'fa-AF': 'نیازهای خود را به ما بگویید؛ صادقانه می‌گوییم چه می‌توانیم.',
    },
  },
}
