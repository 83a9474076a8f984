import { hash } from 'node:crypto'

/**
 * Spellings of places, `kind:key source = spelling; …`. Sources:
 *
 * - `geonames`: alternate names of cities15000.txt of GeoNames (geonames.org, CC BY 4.0): all in
 *   Latin, Arabic and Cyrillic script of the cities that the extract and the demo world share for
 *   the countries AE, AF, IQ, IR, PK and US, without codes, without machine transliterations (lower
 *   case), and without former names that are no spelling of the present one.
 * - `labels`: names in other languages, like the labels of Wikidata and names of OpenStreetMap,
 *   written from general knowledge of them, not copied from an extract.
 * - `native`: how the name is typed with Pashto, Dari, Persian, Arabic and Urdu keyboards.
 * - `typing`: typing errors: a letter doubled, omitted, exchanged with its neighbour or replaced.
 */
const TABLE = `
city:dubai geonames = Dabei; Dibai; Dibay; Doubayi; Dubae; Dubaija; Dubaj; Dubajo; Dubajus; Dubay; Dubayy; Dubaï; Dubái; Dúbæ; Ntoumpai; دبئی; دبى; دبي; دبی; دوبەی; دۇبائى; Дубаи; Дубай
city:sharjah geonames = Al Sharjah; Ash Shariqa; Ash Shariqah; Schardscha; Shardzha; Sharga; Sharijah; Shariqah; Sharja; Sharzha; Sarjo; الشارقة; شارجه; شارقة; Шарджа; Шаржа
city:abu-dhabi geonames = AEbu Saby; Abu Dabi; Abu Dabis; Abu Zabi; Abu Zaby; Abu-Dabio; Abud Dhabi; Abú Dhabí; Abū Z̧aby; Ampou Ntampi; Emirato de Abu Dabi; أبوظبي; Абу-Даби; Абу Даби
city:taloqan geonames = Taikhan; Taleqan; Talikan; Talikhan; Taliqan; Talkan; Talugan; Talukan; Taluqan; Tologan; Tāloqān; Таликан; تالقان
city:sheberghan geonames = Seberghan; Shahr-e Sheberghan; Shayurgan; Shebergan; Sheberkhan; Shefrogan; Shibarghan; Shibergan; Shibirghan; Шеберган; شبرغان; شبرغن
city:aybak geonames = Aibak; Aībak; Eybak; Haibak; آیبک; ایبک
city:pul-e-khumri geonames = Pol-e Khomri; Pul-e Khumrī; Pul-i-Khomri; Pul-i-Khumri; Pule Khumri; Puli-Khumri; Пули-Хумри; پل خمری
city:maimana geonames = Maymana; Maimanah; Maīmanah; Mejmene; Meymaneh; Mimana; Меймене; میمنه
city:mehtarlam geonames = Mehtar Lam; Mekhtarlam; Metarlam; Mitarlam; Miterlam; Митарлам; مهتر لام
city:mazar-i-sharif geonames = Masar-e Scharif; Mazar-e Sarif; Mazar-e Sharif; Mazar-e-Sharif; Mazar-i Szarif; Mazare Srif; Mazari Sharif; Mazār-e Šarīf; Мазари-Шариф; مزار شريف; مزار شریف
city:lashkar-gah geonames = Lashkar Gāh; Lashkargakh; Laskargah; Laškargāh; Lashkargah Bust; Bost; لشكر گاه; لښکرگاه بسټ
city:kunduz geonames = Kondoz; Konduz; Kundus; Kundūz; Qonduz; Qunduz; Qunḏūz; Shahr-e Qondoz; Кундуз; قندز; كندز; کندوز
city:khost geonames = Khowst; Khōst; Хост; خوست
city:kandahar geonames = Candahar; Kandagar; Kandaharo; Kandahār; Kandhar; Qandahar; Qanḏahāṟ; Кандагар; قندهار; كندهار
city:kabul geonames = Cabool; Caboul; Cabul; Cabúl; Caubul; Kabil; Kaboel; Kabol; Kaboul; Kabula; Kabulas; Kabuli; Kabulo; Kabura; Kabúl; Kábul; Kampoul; Kobul; Kābol; Кабул; Кобул; كابل; كابول; کابل
city:jalalabad geonames = Djelalabad; Dschalalabad; Dzalalabad; Dzhalalabad; Dzhelalabad; Dżalalabad; Jalālābād; Jelalabad; Джалалабад; جلال آباد; جلالآباد
city:herat geonames = Gerat; Herāt; Hérat; Kherat; Shahr-e Herat; Герат; Херат; هرات
city:ghazni geonames = Gazni; Ghaznī; Shahr-e Ghazni; Газни; غزنة; غزنی; غزنین
city:gardez geonames = Gardeyz; Gardiz; Gardêz; Gaṟḏēz; Гардез; گرديز; گردېز
city:faizabad geonames = Fayzabad; Faizābād; Fajzabad; Faydz Abad; Feyzabad; Fazelabad; Файзабад; فیض آباد
city:farah geonames = Farakh; Farāh; فراه
city:charikar geonames = Caharikar; Carikar; Chaharikar; Chahārīkār; Chairkar; Charekar; Čahārikār; Чарикар; چاريكار
city:asadabad geonames = Asadābād; Assad-Abad; Chaghasarai; Асадабад; اسد آباد
city:karbala geonames = Karbala'; Karbalaa; Karbalā’; Karbila; Kerbala; Kerbela; Карбала; Кербала; Кербела; كربلاء; کربلا
city:erbil geonames = Arbeel; Arbela; Arbil; Arbīl; Hawler; Hewlêr; Irbil; Арбил; أربيل; إربيل; اربیل; هەولێر
city:baghdad geonames = Bagda; Bagdad; Bagdadas; Bagdado; Bagdat; Bagdate; Bagdod; Bagdá; Bağdat; Bexda; Багдад; Бағдод; بغداد
city:yazd geonames = Jazd; Jazdo; Jezd; Yezd; Йезд; Язд; يزد; یزد
city:tehran geonames = Taekhran; Tahran; Teera; Teerã; Teerão; Tegeran; Teheran; Teherana; Teheranas; Teherano; Teherán; Tehrano; Tekheran; Téhéran; Техеран; Тегеран; Теҳрон; تهران; تِهران; تہران; طهران; تهرون
city:karachi geonames = Carachi; Karaaji; Karaci; Karacio; Karacis; Karacsi; Karaczi; Karanchi; Karatschi; Karatsi; Karatsji; Karatxi; Karaçi; Karači; Keraçî; Kurrachee; Kurrachi; Gorad Karachy; Карачи; Карачі; كاراتشى; كاراچى; كراتشي; کراچی; کراچۍ; ڪراچي
city:islamabad geonames = Gorad Islamabad; Islamabada; Islamabadas; Islamabade; Islamabado; Islamahbad; Islamampant; Islámábád; Islāmābād; Iszlamabad; İslamabad; Исламабад; إسلام آباد; اسلام آباد; اسلام اباد; اسلامآباد; ئیسلامئاباد
city:honolulu geonames = Gonolulu; Honolulú; Khonolulu; Гонолулу; هونولولو
city:bamyan labels = Bamiyan; Bamian; Bāmyān; Bamijan; Bamyian; Бамиан
city:bamyan native = بامیان; باميان; بامىان; بامېان
city:peshawar labels = Pishawar; Peshavar; Peschawar; Peshāwar; Peshawer; Пешавар
city:peshawar native = پیښور; پېښور; پيښور; پشاور; پیشاور; بيشاور
city:quetta labels = Kwetta; Quetta; Qwetta; Кветта
city:quetta native = کوټه; كوټه; کوئٹہ; کویته
city:lahore labels = Lahor; Lahaur; Лахор
city:lahore native = لاہور; لاهور; لهور
city:mashhad labels = Meshed; Mashad; Meshhed; Maschhad; Mashhed; Мешхед
city:mashhad native = مشهد; مشہد
city:isfahan labels = Esfahan; Ispahan; Isfahān; Isfahaan; Исфахан
city:isfahan native = اصفهان; إصفهان; اصفھان
city:shiraz labels = Chiraz; Schiras; Shirāz; Şiraz; Шираз
city:tabriz labels = Tebriz; Täbris; Tabrīz; Tabrez; Тебриз
city:zahedan labels = Zahidan; Zāhedān; Захедан
city:dushanbe labels = Douchanbé; Duschanbe; Düşenbe; Doesjanbe; Dushanbeh; Душанбе
city:tashkent labels = Taschkent; Tachkent; Taşkent; Toshkent; Tasjkent; Ташкент
city:samarkand labels = Samarqand; Samarcande; Semerkand; Samarcanda; Самарканд
city:bukhara labels = Buchara; Boukhara; Bokhara; Buxoro; Buhara; Бухара
city:khiva labels = Chiwa; Xiva; Khīva; Хива
city:termez labels = Termiz; Tirmidh; Термез
city:ashgabat labels = Ashkhabad; Aschgabat; Achgabat; Aşgabat; Ашхабад
city:istanbul labels = İstanbul; Estambul; Istambul; Stambul; Istanboul; Стамбул
city:istanbul native = استانبول; استنبول; إسطنبول; اسطنبول
city:ankara labels = Ankarah; Анкара; أنقرة
city:konya labels = Konia; Konja; قونية; قونیه
city:makkah labels = Mecca; Makka; Mekke; Мекка
city:makkah native = مكة; مکه; مكة المكرمة; مکه مکرمه
city:madinah labels = Medina; Al-Madinah; Medine; Медина
city:madinah native = المدينة المنورة; مدينة; مدینه; مدینه منوره
city:riyadh labels = Riad; Riyad; Er-Riad; Эр-Рияд
city:riyadh native = الرياض; ریاض
city:jeddah labels = Jiddah; Djedda; Dschidda; Jedda
city:jeddah native = جدة; جده
city:doha labels = Ad-Dawhah; Doha; Доха; الدوحة; دوحه
city:muscat labels = Masqat; Maskat; Mascate; Маскат; مسقط
city:cairo labels = Kairo; Le Caire; Al-Qahirah; Каир; القاهرة; قاهره
city:delhi labels = Dehli; Dilli; New Delhi; Дели; دهلی; دہلی; ډیلي
city:mumbai labels = Bombay; Mumbaj; Мумбаи; بمبئی
city:kathmandu labels = Katmandou; Katmandu; Kathmandou; Катманду
city:almaty labels = Alma-Ata; Almati; Алматы; Алма-Ата
city:bishkek labels = Bichkek; Bischkek; Bişkek; Бишкек
city:tbilisi labels = Tiflis; Tiblisi; Тбилиси; تفلیس
city:baku labels = Bakou; Bakü; Baky; Баку; باکو
city:yerevan labels = Erevan; Jerewan; Erivan; Ереван
city:vienna labels = Wien; Vienne; Viena; Вена
city:london labels = Londres; Londra; London; Лондон; لندن
city:hamburg labels = Hambourg; Amburgo; Гамбург; هامبورگ
city:marrakesh labels = Marrakech; Marrakesch; Marraquexe; مراكش
city:kabul typing = Kabbul; Kabull; Kaubl; Kabl; Kabuul; Kabuo
city:kandahar typing = Kandahr; Kandahaar; Knadahar; Kandajar; قندهر
city:herat typing = Herrat; Heart; Hreat; هراات
city:jalalabad typing = Jalalbad; Jalalabda; Jallalabad; جلال ابد
city:mazar-i-sharif typing = Mazar i Sarrif; Mazar Sharif; Mazaar Shareef; Mazar-i-Shraif; مزارشریف
city:bamyan typing = Bamyna; Bamyann; Bamayn; بامیآن
city:kunduz typing = Khundoz; Kundzu; Kunduuz
city:ghazni typing = Gahzni; Ghazny; Ghanzi
city:lashkar-gah typing = Lashkargha; Lashkarga; Lashkar Gha
city:islamabad typing = Islmabad; Islamabd; Islambad; اسلامباد
city:peshawar typing = Peshwar; Peshawr; Peshawarr
city:karachi typing = Karchi; Karahci; Karacchi
city:tehran typing = Tehrna; Thran; Tehrann; تهرن
city:isfahan typing = Isfahn; Isfhaan; Isfahna
city:dubai typing = Dubia; Duabi; Dubbai
city:istanbul typing = Istnabul; Istanbull; Istanbl
city:samarkand typing = Samarkhand; Samrkand; Samarknad
city:london typing = Londn; Lodnon; Londonn
city:stockholm typing = Stokholm; Stockholmm; Stockhlom
city:amsterdam typing = Amsterdm; Amstredam; Amsterdamm
city:bangkok typing = Bankok; Bangkock; Bangkko
city:sydney typing = Sidney; Sydny; Sydnney
city:toronto typing = Torotno; Tornto; Torontoo
region:badakhshan labels = Badakshan; Badakhsan; Badachschan; Бадахшан; بدخشان
region:nangarhar labels = Nangrahar; Nangahar; Ningarhar; ننګرهار; ننگرهار
region:helmand labels = Hilmand; Hilmend; هلمند; هيلمند
region:panjshir labels = Panjsher; Panjsheer; Panjshīr; پنجشیر; پنجشير
region:daykundi labels = Daikundi; Daikondi; Dāykundī; دایکندی
region:balochistan labels = Baluchistan; Balokhistan; Belutschistan; بلوچستان
region:khyber-pakhtunkhwa labels = Khyber Pakhtoonkhwa; Khaibar Pakhtunkhwa; Khyber Pukhtunkhwa; خیبر پختونخوا
region:takhar labels = Takhār; Tachar; Тахар; تخار
region:kunar labels = Konar; Kunarr; کنر; كونړ
region:jawzjan labels = Jowzjan; Jouzjan; Jozjan; جوزجان
region:sindh labels = Sind; Sindhh; سند
neighbourhood:kabul/Wazir Akbar Khan native = Wazir Akbarkhan; Vazir Akbar Khan; وزیراکبرخان; وزير اكبر خان
neighbourhood:kabul/Khair Khana native = Khairkhana; Khayr Khana; Kheir Khaneh; خیر خانه; خيرخانه
neighbourhood:kabul/Taimani native = Taymani; Tiemani; تایمنی; تايمنی
neighbourhood:kabul/Macroyan native = Makroyan; Macrorayan; مکروریان
neighbourhood:kabul/Darulaman native = Darul Aman; Dar ul-Aman; Darolaman; دار الامان
neighbourhood:kabul/Karte Char native = Kart-e Char; Karta-e Chahar; Karte Chaar; کارتهٔ چهار
neighbourhood:istanbul/Sultanahmet labels = Sultan Ahmet; Sultanahmed; Султанахмет
neighbourhood:tehran/Tajrish native = Tajreesh; Tadjrish; تجريش
neighbourhood:dubai/Deira native = Deera; Dayrah; ديرة
landmark:buddhas-of-bamyan labels = Bamiyan Buddhas; Buddhas of Bamiyan; Buddahs of Bamyan; بودای باميان; بت های بامیان
landmark:babur-gardens labels = Bagh-e Babur; Baghe Babur; Babur's Gardens; Babur Garden; باغ بابر; باغ بابور
landmark:kabul-airport labels = Kabul Airport; Kabul airprot; Kaboul airport; میدان هوایی کابل; فرودگاه كابل
landmark:herat-citadel labels = Herat Citadel; Citadel of Herat; Hirat Citadel; ارگ هرات; ارګ هرات
landmark:blue-mosque labels = Blue Mosque of Mazar; Blue Mosque Mazar; Rawze Sharif; روضه شریف
landmark:minaret-of-jam labels = Minaret of Jam; Minarett of Jam; منار جام
landmark:taj-mahal labels = Taj Mahal; Tadj Mahal; Taj Mehal; تاج محل
landmark:eiffel-tower labels = Eiffel Tower; Eifel Tower; Tour Eiffel; برج ایفل
landmark:hagia-sophia labels = Hagia Sophia; Hagia Sofia; Ayasofya; Aya Sofya; ایا صوفیا
landmark:masjid-al-haram labels = Masjid al-Haram; Masjid Al Haraam; Kaaba; المسجد الحرام; مسجد الحرام
landmark:faisal-mosque labels = Faisal Mosque; Faysal Mosque; Feisal Mosque
`

export interface Spelling {
  readonly text: string
  /** `kind:key` */
  readonly place: string
  readonly source: string
}

export const SPELLINGS: readonly Spelling[] = TABLE.trim().split('\n').flatMap(readLine)

function readLine(line: string): Spelling[] {
  const [, place = '', source = '', texts = ''] = /^(.+) (\w+) = (.+)$/.exec(line) ?? []
  return texts.split('; ').map((text) => ({ text, place, source }))
}

/**
 * Two halves by the hash of the text. The search was developed with the first only; the second was
 * measured afterwards.
 */
export function isUnseen({ text }: Spelling): boolean {
  return Number.parseInt(hash('sha256', text).slice(0, 2), 16) % 2 === 1
}
