import type { ReviewAspect } from '@melmastoon/upstream-contracts/property'
import type { AmenityCode } from '../amenities.ts'
import { readNames } from '../names.ts'
import type { Names } from '../world.ts'

interface Opinions {
  readonly good: readonly string[]
  readonly bad: readonly string[]
}

/** In the present tense, whose verbs do not depend on the gender of the guest. */
const OPINIONS: Readonly<Record<ReviewAspect, Opinions>> = {
  cleanliness: {
    good: [
      'Very clean, every day. / هره ورځ ډېره پاکي وي. / هر روز بسیار پاک است.',
      'The bathroom is spotless. / تشناب بیخي پاک دی. / تشناب کاملاً پاک است.',
    ],
    bad: [
      'The carpets need a wash. / غالۍ مینځلو ته اړتیا لري. / قالین‌ها به شست‌وشو نیاز دارد.',
      'The bathroom could be cleaner. / تشناب باید لا پاک وي. / تشناب باید پاک‌تر باشد.',
    ],
  },
  staff: {
    good: [
      'The staff helps with everything. / کارکوونکي په هر کار کې مرسته کوي. / کارکنان در هر کار کمک می‌کنند.',
      'The owner welcomes every guest. / خاوند هر مېلمه ته ښه راغلاست وایي. / صاحب خانه به هر مهمان خوش‌آمد می‌گوید.',
    ],
    bad: [
      'The front desk is slow in the evening. / د هرکلي مېز ماښام ورو کار کوي. / پذیرش شام‌ها کند کار می‌کند.',
      'Nobody picks up the telephone. / د تلیفون ځواب څوک نه ورکوي. / کسی به تلفن جواب نمی‌دهد.',
    ],
  },
  location: {
    good: [
      'Close to everything, and still quiet. / هر څه ته نږدې او بیا هم ارام ځای دی. / به همه جا نزدیک و باز هم آرام است.',
      'The bazaar is a few minutes away on foot. / بازار ته پلي څو دقیقې لار ده. / تا بازار چند دقیقه پیاده راه است.',
    ],
    bad: [
      'It is far from the centre. / له مرکزه لرې دی. / از مرکز دور است.',
      'The street is loud in the morning. / کوڅه سهار شور لري. / کوچه صبح‌ها پر سر و صداست.',
    ],
  },
  comfort: {
    good: [
      'Good beds and warm rooms. / ښې بسترې او تودې خونې لري. / بسترهای خوب و اتاق‌های گرم دارد.',
      'One sleeps well here. / دلته سړی ارام ویده کېږي. / اینجا آدم راحت می‌خوابد.',
    ],
    bad: [
      'The bed is too soft. / بستره ډېره نرمه ده. / بستر بیش از حد نرم است.',
      'The room is cold at night. / خونه د شپې سړه وي. / اتاق شب‌ها سرد است.',
    ],
  },
  value: {
    good: [
      'Worth the price. / د خپلې بیې ارزښت لري. / به قیمتش می‌ارزد.',
      'Cheaper than the others nearby, and better. / د شاوخوا له نورو ارزان او ښه دی. / از دیگران این نزدیکی ارزان‌تر و بهتر است.',
    ],
    bad: [
      'Expensive for what it offers. / د خپلو خدمتونو په پرتله ګران دی. / نظر به خدماتش قیمت است.',
      'They charge for small things. / د وړو شیانو لپاره هم پیسې اخلي. / برای چیزهای کوچک هم پول می‌گیرند.',
    ],
  },
  facilities: {
    good: [
      'Everything in the room works. / په خونه کې هر څه کار کوي. / در اتاق همه چیز کار می‌کند.',
      'There is always hot water. / ګرمې اوبه تل شته. / همیشه آب گرم هست.',
    ],
    bad: [
      'The lamps in the room are dim. / د خونې څراغونه کمه رڼا لري. / چراغ‌های اتاق کم‌نور است.',
      'Hot water comes late. / ګرمې اوبه ناوخته راځي. / آب گرم دیر می‌آید.',
    ],
  },
}

/** What guests like about an amenity. */
const LIKED: Partial<Record<AmenityCode, string>> = {
  garden:
    'Tea in the garden is the best part of the day. / په بڼ کې چای د ورځې تر ټولو ښه برخه ده. / چای در باغ بهترین بخش روز است.',
  breakfast:
    'There is warm bread at breakfast. / په سهارني کې توده ډوډۍ وي. / در صبحانه نان گرم هست.',
  generator: 'There is power all night. / ټوله شپه برېښنا وي. / تمام شب برق است.',
  'rooftop-terrace':
    'The view from the roof is beautiful. / له بامه منظره ډېره ښکلې ده. / منظره از بام بسیار زیباست.',
  'women-only-floor':
    'Women who travel alone are safe here. / هغه ښځې چې یوازې سفر کوي، دلته خوندي دي. / خانم‌هایی که تنها سفر می‌کنند، اینجا در امان‌اند.',
  pool: 'The children do not want to leave the pool. / ماشومان له حوضه وتل نه غواړي. / کودکان نمی‌خواهند از حوض بیرون شوند.',
  'step-free':
    'Access with a wheelchair is easy. / د ویلچېر لپاره لار اسانه ده. / راه برای ویلچیر آسان است.',
  wifi: 'The Wi-Fi is fast. / وای‌فای چټک دی. / وای‌فای تیز است.',
}

export function opinionsOn(aspect: ReviewAspect, kind: keyof Opinions): readonly Names[] {
  return OPINIONS[aspect][kind].map(readNames)
}

export function likedAmenities(amenities: readonly string[]): Names[] {
  const rows = amenities.map((code) => LIKED[code as AmenityCode])
  return rows.filter((row) => row !== undefined).map(readNames)
}
