import type { PlaceTable } from '../read-places.ts'

export const MIDDLE_EAST: readonly PlaceTable[] = [
  {
    country: 'AE',
    timeZone: 'Asia/Dubai',
    rows: `
dubai 25.2048 55.2708 sea 9km @130 x120 | Dubai / دوبۍ / دبی | | دبي
  Deira = دیره; Bur Dubai = بر دوبۍ = بر دبی; Al Barsha = البرشا; Downtown = د ښار منځ = مرکز شهر
abu-dhabi 24.4539 54.3773 sea 6km @130 x35 | Abu Dhabi / ابوظبۍ / ابوظبی | | أبوظبي
  Corniche = کورنیش; Al Zahiyah = الزاهیه
sharjah 25.3463 55.4209 sea 4km @120 x35 | Sharjah / شارجه / شارجه | | الشارقة
  Rolla = رولا; Al Majaz = المجاز
`,
  },
  {
    country: 'QA',
    timeZone: 'Asia/Qatar',
    rows: `
doha 25.2854 51.5310 sea 5km @240 x25 | Doha / دوحه / دوحه | | الدوحة
  Souq Waqif = سوق واقف; West Bay = لوېدیځ خلیج = خلیج غربی
`,
  },
  {
    country: 'OM',
    timeZone: 'Asia/Muscat',
    rows: `
muscat 23.5880 58.3829 sea 6km @200 x20 | Muscat / مسقط / مسقط | | مسقط
  Mutrah = مطرح; Ruwi = روي = روی
`,
  },
  {
    country: 'SA',
    timeZone: 'Asia/Riyadh',
    rows: `
makkah 21.4225 39.8262 desert 4km x70 | Makkah / مکه / مکه | | مكة المكرمة
  Ajyad = اجیاد; Al Aziziyah = العزیزیه; Jarwal = جرول
madinah 24.4672 39.6111 desert 4km x50 | Madinah / مدینه / مدینه | | المدينة المنورة
  Central Area = مرکزي سیمه = ناحیه مرکزی; Quba = قبا
riyadh 24.7136 46.6753 desert 9km x25 | Riyadh / ریاض / ریاض | | الرياض
jeddah 21.4858 39.1925 sea 7km @80 x30 | Jeddah / جده / جده | Makkah / مکه / مکه | جدة
  Al Balad = البلد; Corniche = کورنیش
`,
  },
  {
    country: 'IQ',
    timeZone: 'Asia/Baghdad',
    rows: `
karbala 32.6160 44.0249 desert 3km x30 | Karbala / کربلا / کربلا | | كربلاء
baghdad 33.3152 44.3661 desert 7km x15 | Baghdad / بغداد / بغداد | | بغداد
erbil 36.1911 44.0092 mountain 4km x20 | Erbil / اربیل / اربیل | | أربيل
`,
  },
  {
    country: 'JO',
    timeZone: 'Asia/Amman',
    rows: `
amman 31.9539 35.9106 desert 5km x20 | Amman / عمان / عمان | | عمّان
`,
  },
  {
    country: 'EG',
    timeZone: 'Africa/Cairo',
    rows: `
cairo 30.0444 31.2357 desert 6km x35 | Cairo / قاهره / قاهره | | القاهرة
  Zamalek = زمالک; Al Azhar = الازهر; Giza = جیزه
`,
  },
  {
    country: 'TR',
    timeZone: 'Europe/Istanbul',
    rows: `
istanbul 41.0166 28.9700 sea 5km @315 x260 | Istanbul / استانبول / استانبول | | İstanbul
  Sultanahmet = سلطان احمد; Fatih = فاتح; Beyoglu = بیوغلو; Zeytinburnu = زیتین بورنو; Aksaray = اقسرای = آق‌سرای; Sisli = شیشلي = شیشلی
ankara 39.9334 32.8597 town 6km x35 | Ankara / انقره / آنکارا | | Ankara
  Kizilay = قزل ای = قزل‌آی; Ulus = اولوس
konya 37.8746 32.4932 town 4km x30 | Konya / قونیه / قونیه
  Mevlana = مولانا; Meram = مرام
izmir 38.4237 27.1428 sea 5km @90 x25 | Izmir / ازمیر / ازمیر | | İzmir
antalya 36.8969 30.7133 sea 5km @0 x30 | Antalya / انتالیه / آنتالیا
`,
  },
  {
    country: 'GE',
    timeZone: 'Asia/Tbilisi',
    rows: `
tbilisi 41.7151 44.8271 mountain 4km x25 | Tbilisi / تبلیسي / تفلیس | | თბილისი
`,
  },
  {
    country: 'AZ',
    timeZone: 'Asia/Baku',
    rows: `
baku 40.4093 49.8671 sea 5km @330 x25 | Baku / باکو / باکو | | Bakı
`,
  },
  {
    country: 'AM',
    timeZone: 'Asia/Yerevan',
    rows: `
yerevan 40.1792 44.4991 mountain 4km x15 | Yerevan / یېروان / ایروان | | Երևան
`,
  },
]
