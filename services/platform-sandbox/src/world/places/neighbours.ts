import type { PlaceTable } from '../read-places.ts'

/** Pakistan, Iran and Central Asia: the origin and destination of many guests. */
export const NEIGHBOURS: readonly PlaceTable[] = [
  {
    country: 'PK',
    timeZone: 'Asia/Karachi',
    rows: `
islamabad 33.6938 73.0652 mountain 7km x110 | Islamabad / اسلام اباد / اسلام‌آباد | Islamabad Capital / د اسلام اباد پلازمېنه / پایتخت اسلام‌آباد | اسلام آباد
  Blue Area = بلو اېریا = بلو اریا; F-7 Markaz = اېف ۷ مرکز = اف ۷ مرکز; G-9 Markaz = جي ۹ مرکز = جی ۹ مرکز; Margalla Road = مارګله سړک = سرک مارگله
peshawar 34.0151 71.5249 town 5km x120 | Peshawar / پېښور / پشاور | Khyber Pakhtunkhwa / خیبر پښتونخوا / خیبر پختونخوا | پشاور
  Saddar = صدر; Hayatabad = حیات اباد = حیات‌آباد; University Town = پوهنتون ټاون = یونیورستی تاون; Qissa Khwani = قیصه خواني = قصه‌خوانی
lahore 31.5497 74.3436 town 8km x90 | Lahore / لاهور / لاهور | Punjab / پنجاب / پنجاب | لاہور
  Gulberg = ګلبرګ = گلبرگ; Mall Road = مال روډ = مال رود; Walled City = زوړ ښار = شهر کهنه
karachi 24.8607 67.0011 sea 9km @40 x85 | Karachi / کراچۍ / کراچی | Sindh / سند / سند | کراچی
  Saddar = صدر; Clifton = کلفټن = کلفتن; Gulshan-e Iqbal = ګلشن اقبال = گلشن اقبال
quetta 30.1798 66.9750 mountain 4km x60 | Quetta / کوټه / کویته | Balochistan / بلوچستان / بلوچستان | کوئٹہ
  Jinnah Road = جناح روډ = جناح رود; Cantonment = چاونۍ = چاونی
chitral 35.8518 71.7864 mountain 2km x25 | Chitral / چترال / چترال | Khyber Pakhtunkhwa / خیبر پښتونخوا / خیبر پختونخوا | چترال
gilgit 35.9208 74.3144 mountain 3km x30 | Gilgit / ګلګت / گلگت | Gilgit-Baltistan / ګلګت بلتستان / گلگت بلتستان | گلگت
skardu 35.2971 75.6333 mountain 3km x30 | Skardu / سکردو / اسکردو | Gilgit-Baltistan / ګلګت بلتستان / گلگت بلتستان | سکردو
mingora 34.7795 72.3609 mountain 3km x35 | Mingora / مینګوره / مینگوره | Khyber Pakhtunkhwa / خیبر پښتونخوا / خیبر پختونخوا | مینگورہ
multan 30.1575 71.5249 desert 4km x25 | Multan / ملتان / ملتان | Punjab / پنجاب / پنجاب | ملتان
`,
  },
  {
    country: 'IR',
    timeZone: 'Asia/Tehran',
    rows: `
tehran 35.6892 51.3890 mountain 9km x110 | Tehran / تهران / تهران
  Valiasr = ولي عصر = ولی‌عصر; Ferdowsi = فردوسي = فردوسی; Tajrish = تجریش; Enghelab = انقلاب
mashhad 36.2970 59.6062 desert 5km x140 | Mashhad / مشهد / مشهد | Razavi Khorasan / رضوي خراسان / خراسان رضوی
  Imam Reza Street = د امام رضا واټ = خیابان امام رضا; Tabarsi = طبرسي = طبرسی; Golshahr = ګلشهر = گلشهر; Ahmadabad = احمد اباد = احمدآباد
isfahan 32.6546 51.6680 desert 5km x60 | Isfahan / اصفهان / اصفهان
  Chahar Bagh = چهار باغ = چهارباغ; Jolfa = جلفا; Naqsh-e Jahan = نقش جهان
shiraz 29.5918 52.5837 desert 4km x50 | Shiraz / شیراز / شیراز | Fars / فارس / فارس
  Zand = زند; Hafezieh = حافظیه
tabriz 38.0962 46.2738 mountain 4km x30 | Tabriz / تبریز / تبریز | East Azerbaijan / ختیځ اذربایجان / آذربایجان شرقی
yazd 31.8974 54.3569 desert 3km x30 | Yazd / یزد / یزد
  Fahadan = فهادان; Amir Chakhmaq = امیر چخماق
zahedan 29.4963 60.8629 desert 3km x25 | Zahedan / زاهدان / زاهدان | Sistan and Baluchestan / سیستان او بلوچستان / سیستان و بلوچستان
birjand 32.8649 59.2262 desert 2km x15 | Birjand / بیرجند / بیرجند | South Khorasan / سویلي خراسان / خراسان جنوبی
`,
  },
  {
    country: 'TJ',
    timeZone: 'Asia/Dushanbe',
    rows: `
dushanbe 38.5598 68.7870 mountain 5km x60 | Dushanbe / دوشنبه / دوشنبه | | Душанбе
  Rudaki Avenue = د رودکي واټ = خیابان رودکی; Sino = سینا; Somoni = ساماني = سامانی
khujand 40.2826 69.6222 mountain 3km x25 | Khujand / خجند / خجند | Sughd / سغد / سغد | Хуҷанд
khorog 37.4897 71.5531 mountain 1.5km x20 | Khorog / خاروغ / خاروغ | Gorno-Badakhshan / غرنی بدخشان / بدخشان کوهستانی | Хоруғ
`,
  },
  {
    country: 'UZ',
    timeZone: 'Asia/Tashkent',
    rows: `
tashkent 41.2995 69.2401 town 6km x50 | Tashkent / تاشکند / تاشکند | | Toshkent
  Chorsu = چارسو; Yunusobod = یونس اباد = یونس‌آباد; Mirobod = میر اباد = میرآباد
samarkand 39.6542 66.9597 desert 3km x45 | Samarkand / سمرقند / سمرقند | | Samarqand
  Registan = رېګستان = ریگستان; Siyob = سیاب
bukhara 39.7681 64.4556 desert 2km x40 | Bukhara / بخارا / بخارا | | Buxoro
  Lyab-i Hauz = لب حوض; Old City = زوړ ښار = شهر کهنه
khiva 41.3783 60.3639 desert 1.5km x20 | Khiva / خیوه / خیوه | Khorezm / خوارزم / خوارزم | Xiva
termez 37.2242 67.2783 desert 2km x20 | Termez / ترمذ / ترمذ | Surxondaryo / سرخان دریا / سرخان‌دریا | Termiz
`,
  },
  {
    country: 'TM',
    timeZone: 'Asia/Ashgabat',
    rows: `
ashgabat 37.9601 58.3261 desert 4km x15 | Ashgabat / اشک اباد / عشق‌آباد | | Aşgabat
mary 37.5936 61.8303 desert 2km x10 | Mary / مرو / مرو
`,
  },
  {
    country: 'KG',
    timeZone: 'Asia/Bishkek',
    rows: `
bishkek 42.8746 74.5698 mountain 4km x25 | Bishkek / بېشکېک / بیشکک | | Бишкек
osh 40.5140 72.8161 mountain 3km x15 | Osh / اوش / اوش | | Ош
`,
  },
  {
    country: 'KZ',
    timeZone: 'Asia/Almaty',
    rows: `
almaty 43.2380 76.8829 mountain 5km x35 | Almaty / الماتي / آلماتی | | Алматы
astana 51.1694 71.4491 town 5km x15 | Astana / استانه / آستانه | | Астана
`,
  },
  {
    country: 'CN',
    timeZone: 'Asia/Shanghai',
    rows: `
kashgar 39.4704 75.9898 desert 3km x15 | Kashgar / کاشغر / کاشغر | Xinjiang / شینجیانګ / سین‌کیانگ | 喀什
urumqi 43.8256 87.6168 mountain 5km x15 | Urumqi / اورومچي / اورومچی | Xinjiang / شینجیانګ / سین‌کیانگ | 乌鲁木齐
`,
  },
]
