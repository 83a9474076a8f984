import type { Names } from '../world.ts'

/** Neighbourhoods whose names are not in the table of their town: English = Pashto = Dari. */
const ROWS = `
Bloomsbury = بلومزبري = بلومزبری
Whitechapel = وایټچاپل = وایت‌چپل
Ealing = ایلینګ = ایلینگ
Southall = ساوتهال = ساوت‌هال
Camden = کامډن = کمدن
Rusholme = رشهولم = رشهولم
Ancoats = انکوټس = انکوتس
Sparkhill = سپارکهیل = سپارک‌هیل
Digbeth = ډیګبېت = دیگبت
St. Georg = سنټ ګیورګ = سنت گئورگ
Altona = التونا = آلتونا
Eimsbüttel = ایمسبوټل = آیمس‌بوتل
Mitte = میته = میته
Kreuzberg = کرویتسبرګ = کرویتسبرگ
Neukölln = نویکولن = نویکلن
Gallus = ګالوس = گالوس
Sachsenhausen = زاکسنهاوزن = زاکسن‌هاوزن
Belleville = بېلویل = بلویل
Marais = ماره = ماره
Montmartre = مونمارتر = مونمارتر
Favoriten = فاووریتن = فاووریتن
Leopoldstadt = لیوپولډشټاټ = لئوپولدشتات
Trastevere = تراستېورې = تراستوره
Esquilino = اسکویلینو = اسکویلینو
Albaicín = البایسین = البایسین
Realejo = ریالېخو = رئالخو
Jordaan = یوردان = یوردان
De Pijp = د پایپ = د پایپ
Södermalm = سودرمالم = سودرمالم
Vasastan = واساستان = واساستان
Baščaršija = باشچارشیا = باش‌چارشیا
Marijin Dvor = مارین دوور = مارین دوور
Sentrum = سنتروم = سنتروم
Tromsdalen = ترومسدالن = ترومسدالن
Nybyen = نیبین = نیبین
Miðborg = میدبورګ = میدبورگ
Laugardalur = لوګاردالور = لوگاردالور
Colaba = کولابا = کولابا
Bandra = باندرا = باندرا
Andheri = اندهېري = اندهری
Thamel = تامېل = تامل
Patan = پاټن = پاتن
Boudha = بودها = بودها
Nana = نانا = نانا
Ari = اري = آری
Sathorn = ساتورن = ساتورن
Bukit Bintang = بوکیت بینتانګ = بوکیت بینتانگ
Chow Kit = چاو کیت = چاو کیت
Bangsar = بانګسار = بانگسار
Menteng = مېنتېنګ = منتنگ
Kemang = کېمانګ = کمانگ
Kota Tua = کوتا توا = کوتا توا
Shinjuku = شینجوکو = شینجوکو
Asakusa = اساکوسا = آساکوسا
Shibuya = شیبویا = شیبویا
Itaewon = ایتېوون = ایته‌وون
Jongno = جونګنو = جونگنو
Mapo = ماپو = ماپو
Flushing = فلشینګ = فلشینگ
Astoria = استوریا = آستوریا
Midtown = میډټاون = میدتاون
Niles = نایلز = نایلز
Waikiki = وایکیکي = وایکیکی
Manoa = مانوا = مانوا
Thorncliffe Park = تورنکلیف پارک = تورنکلیف پارک
Kensington Market = کنسینګټن مارکېټ = کنزینگتن مارکت
Vila Madalena = ویلا مادالېنا = ویلا مادالنا
Liberdade = لیبرداده = لیبرداده
Centro = سنترو = سنترو
Las Hayas = لاس هایاس = لاس آیاس
Westlands = وېسټلنډز = وستلندز
Eastleigh = ایسټلي = ایستلی
Bo-Kaap = بو کاپ = بو کاپ
Observatory = اوبزرویټري = آبزرواتوری
Merrylands = مېري لنډز = مری‌لندز
Newtown = نیوټاون = نیوتاون
Ponsonby = پونسنبي = پانسنبی
Parnell = پارنېل = پارنل
Toorak = توراک = توراک
Lami = لامي = لامی
Wailoaloa = وایلوالوا = وایلوالوا
Martintar = مارتینتار = مارتینتار
Matei = ماتې = ماتی
Waiyevo = وایېوو = وایوو
Matautu = ماتاوتو = ماتائوتو
Vaiala = وایالا = وایالا
`

const QUARTERS = new Map(
  ROWS.trim()
    .split('\n')
    .map((row) => row.split(' = '))
    .map(([en = '', ps = '', fa = '']) => [en, { 'ps-AF': ps, 'fa-AF': fa }]),
)

export function quarterNames(en: string): Names['localized'] | null {
  return QUARTERS.get(en) ?? null
}
