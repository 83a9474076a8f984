import type { PlaceTable } from '../read-places.ts'

export const MIDDLE_EAST: readonly PlaceTable[] = [
  {
    country: 'AE',
    timeZone: 'Asia/Dubai',
    rows: `
dubai 25.2048 55.2708 sea 9km @130 x120 | Dubai / دوبۍ / دبی | | دبي
  Deira @25.2700,55.3200 = دیره; Bur Dubai @25.2560,55.2970 = بر دوبۍ = بر دبی; Al Barsha @25.1130,55.2000 = البرشا; Downtown @25.1950,55.2740 = د ښار منځ = مرکز شهر
abu-dhabi 24.4539 54.3773 sea 6km @130 x35 | Abu Dhabi / ابوظبۍ / ابوظبی | | أبوظبي
  Corniche @24.4730,54.3450 = کورنیش; Al Zahiyah @24.4930,54.3730 = الزاهیه
sharjah 25.3463 55.4209 sea 4km @120 x35 | Sharjah / شارجه / شارجه | | الشارقة
  Rolla @25.3570,55.3870 = رولا; Al Majaz @25.3260,55.3830 = المجاز
`,
  },
  {
    country: 'QA',
    timeZone: 'Asia/Qatar',
    rows: `
doha 25.2854 51.5310 sea 5km @240 x25 | Doha / دوحه / دوحه | | الدوحة
  Souq Waqif @25.2870,51.5330 = سوق واقف; West Bay @25.3240,51.5310 = لوېدیځ خلیج = خلیج غربی
`,
  },
  {
    country: 'OM',
    timeZone: 'Asia/Muscat',
    rows: `
muscat 23.5880 58.3829 sea 6km @200 x20 | Muscat / مسقط / مسقط | | مسقط
  Mutrah @23.6200,58.5650 = مطرح; Ruwi @23.5940,58.5440 = روي = روی
`,
  },
  {
    country: 'SA',
    timeZone: 'Asia/Riyadh',
    rows: `
makkah 21.4225 39.8262 desert 4km x70 | Makkah / مکه / مکه | | مكة المكرمة
  Ajyad @21.4190,39.8290 = اجیاد; Al Aziziyah @21.4010,39.8690 = العزیزیه; Jarwal @21.4320,39.8180 = جرول
madinah 24.4672 39.6111 desert 4km x50 | Madinah / مدینه / مدینه | | المدينة المنورة
  Central Area @24.4690,39.6130 = مرکزي سیمه = ناحیه مرکزی; Quba @24.4395,39.6170 = قبا
riyadh 24.7136 46.6753 desert 9km x25 | Riyadh / ریاض / ریاض | | الرياض
jeddah 21.4858 39.1925 sea 7km @80 x30 | Jeddah / جده / جده | Makkah / مکه / مکه | جدة
  Al Balad @21.4830,39.1870 = البلد; Corniche @21.5450,39.1350 = کورنیش
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
  Zamalek @30.0610,31.2190 = زمالک; Al Azhar @30.0460,31.2620 = الازهر; Giza @30.0130,31.2090 = جیزه
`,
  },
  {
    country: 'TR',
    timeZone: 'Europe/Istanbul',
    rows: `
istanbul 41.0166 28.9700 sea 5km @315 x260 | Istanbul / استانبول / استانبول | | İstanbul
  Sultanahmet @41.0055,28.9770 = سلطان احمد; Fatih @41.0190,28.9490 = فاتح; Beyoglu @41.0340,28.9770 = بیوغلو; Zeytinburnu @40.9900,28.9040 = زیتین بورنو; Aksaray @41.0100,28.9530 = اقسرای = آق‌سرای; Sisli @41.0600,28.9870 = شیشلي = شیشلی
ankara 39.9334 32.8597 town 6km x35 | Ankara / انقره / آنکارا | | Ankara
  Kizilay @39.9200,32.8540 = قزل ای = قزل‌آی; Ulus @39.9420,32.8550 = اولوس
konya 37.8746 32.4932 town 4km x30 | Konya / قونیه / قونیه
  Mevlana @37.8710,32.5050 = مولانا; Meram @37.8370,32.4380 = مرام
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
