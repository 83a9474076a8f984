/**
 * Sights, stations and airports: `key city lat lng | English / Pashto / Dari | other names`.
 * Coordinates have four decimals, the precision of a search around a point.
 */
export const LANDMARK_ROWS = `
kabul-airport kabul 34.5659 69.2123 | Kabul International Airport / د کابل نړیوال هوایي ډګر / میدان هوایی بین‌المللی کابل | Kabul airport; Hamid Karzai International Airport; فرودگاه کابل; میدان هوایی کابل; د کابل هوايي ډګر; مطار كابل
babur-gardens kabul 34.5033 69.1583 | Babur Gardens / د بابر باغ / باغ بابر | Bagh-e Babur; Gardens of Babur; باغ بابرشاه
national-museum kabul 34.4670 69.1192 | National Museum of Afghanistan / د افغانستان ملي موزیم / موزیم ملی افغانستان | Kabul Museum; موزیم کابل
darul-aman-palace kabul 34.4649 69.1197 | Darul Aman Palace / د دارالامان ماڼۍ / قصر دارالامان | Darulaman Palace; کاخ دارالامان
bala-hissar-kabul kabul 34.5050 69.1920 | Bala Hissar of Kabul / د کابل بالاحصار / بالاحصار کابل | Bala Hisar
kabul-university kabul 34.5190 69.1310 | Kabul University / کابل پوهنتون / دانشگاه کابل | پوهنتون کابل; Pohantun-e Kabul
chicken-street kabul 34.5310 69.1680 | Chicken Street / د چرګانو کوڅه / کوچه مرغ‌ها | Kocha-e Murgha; کوچه مرغها
eid-gah-mosque kabul 34.5190 69.1880 | Eid Gah Mosque / د عیدګاه جومات / مسجد عیدگاه | Id Gah Mosque
pul-e-khishti-mosque kabul 34.5180 69.1785 | Pul-e Khishti Mosque / د پل خشتي جومات / مسجد پل خشتی
shah-do-shamshira-mosque kabul 34.5189 69.1760 | Shah-Do Shamshira Mosque / د شاه دوشمشېره جومات / مسجد شاه دوشمشیره
qargha-lake kabul 34.5540 69.0330 | Qargha Lake / د قرغې بند / بند قرغه | Kargha; Qargha Dam
paghman-gardens kabul 34.5870 68.9510 | Paghman Gardens / د پغمان باغ / باغ پغمان | Paghman; پغمان
herat-citadel herat 34.3467 62.1880 | Herat Citadel / د هرات ارګ / ارگ هرات | Qala Ikhtyaruddin; Citadel of Alexander; قلعه اختیارالدین
great-mosque-of-herat herat 34.3432 62.1962 | Great Mosque of Herat / د هرات جامع جومات / مسجد جامع هرات | Friday Mosque of Herat; Jami Masjid Herat
musalla-complex herat 34.3570 62.1870 | Musalla Complex / د مصلی منارې / منارهای مصلی | Musalla Minarets; مناره‌های هرات
gazar-gah herat 34.3745 62.2405 | Gazar Gah / ګازرګاه / گازرگاه | Shrine of Khwaja Abdullah Ansari; Gazurgah
herat-airport herat 34.2100 62.2283 | Herat Airport / د هرات هوایي ډګر / میدان هوایی هرات | فرودگاه هرات
blue-mosque mazar-i-sharif 36.7083 67.1110 | Blue Mosque of Mazar-i-Sharif / د مزار شریف شین جومات / روضه شریف مزار | Blue Mosque of Mazar; Shrine of Ali; Rawza-e Sharif; Hazrat Ali Mazar; روضه شریف; روضه مبارک; مسجد کبود
mazar-airport mazar-i-sharif 36.7069 67.2097 | Mazar-i-Sharif Airport / د مزار شریف هوایي ډګر / میدان هوایی مزار شریف | فرودگاه مزار شریف
balkh-citadel mazar-i-sharif 36.7700 66.9000 | Citadel of Balkh / د بلخ بالاحصار / بالاحصار بلخ | Balkh ruins; Noh Gonbad
buddhas-of-bamyan bamyan 34.8320 67.8267 | Buddhas of Bamyan / د بامیان بودا / بودای بامیان | Bamiyan Buddhas; Bamyan Buddhas; Buddha of Bamiyan; بت‌های بامیان; مجسمه‌های بودا; بوداهای بامیان
shahr-e-gholghola bamyan 34.8190 67.8420 | Shahr-e Gholghola / شهر غلغله / شهر غلغله | City of Screams; Gholghola
shahr-e-zohak bamyan 34.8340 67.9690 | Shahr-e Zohak / شهر ضحاک / شهر ضحاک | Red City; Zohak
band-e-amir-lakes yakawlang 34.8397 67.2308 | Band-e Amir National Park / د امیر بند ملي پارک / پارک ملی بند امیر | Band-e Amir lakes; Bande Amir
shrine-of-the-cloak kandahar 31.6195 65.7060 | Shrine of the Cloak / د خرقې زیارت / زیارت خرقه مبارک | Kherqa Sharif; Khirka Sharif; خرقه شریفه
ahmad-shah-mausoleum kandahar 31.6193 65.7065 | Mausoleum of Ahmad Shah Durrani / د احمد شاه دراني مقبره / آرامگاه احمدشاه درانی | Ahmad Shah Baba tomb
chil-zena kandahar 31.6069 65.6560 | Chil Zena / چهل زینه / چهل‌زینه | Chihil Zina; Forty Steps
kandahar-airport kandahar 31.5058 65.8478 | Kandahar Airport / د کندهار هوایي ډګر / میدان هوایی قندهار | فرودگاه قندهار
torkham-border jalalabad 34.1220 71.0930 | Torkham Border Crossing / د تورخم پوله / گذرگاه تورخم | Torkham; Turkham; تورخم
ghazni-minarets ghazni 33.5640 68.4330 | Ghazni Minarets / د غزني منارې / مناره‌های غزنی | Towers of Victory
ghazni-citadel ghazni 33.5570 68.4230 | Ghazni Citadel / د غزني بالاحصار / بالاحصار غزنی
minaret-of-jam firozkoh 34.3964 64.5161 | Minaret of Jam / د جام منار / منار جام | Jam Minaret
takht-e-rostam aybak 36.2470 68.0170 | Takht-e Rostam / تخت رستم / تخت رستم | Takht-i Rustam
faisal-mosque islamabad 33.7297 73.0372 | Faisal Mosque / فیصل جومات / مسجد فیصل | Shah Faisal Masjid
islamabad-airport islamabad 33.5490 72.8257 | Islamabad Airport / د اسلام اباد هوایي ډګر / میدان هوایی اسلام‌آباد
badshahi-mosque lahore 31.5881 74.3106 | Badshahi Mosque / بادشاهي جومات / مسجد بادشاهی | Badshahi Masjid
lahore-fort lahore 31.5880 74.3152 | Lahore Fort / د لاهور کلا / قلعه لاهور | Shahi Qila
lahore-airport lahore 31.5216 74.4036 | Lahore Airport / د لاهور هوایي ډګر / میدان هوایی لاهور
bala-hisar-peshawar peshawar 34.0140 71.5670 | Bala Hisar of Peshawar / د پېښور بالاحصار / بالاحصار پشاور | Bala Hissar Fort Peshawar
peshawar-airport peshawar 33.9939 71.5146 | Peshawar Airport / د پېښور هوایي ډګر / میدان هوایی پشاور | Bacha Khan Airport
mazar-e-quaid karachi 24.8754 67.0411 | Mazar-e-Quaid / مزار قائد / مزار قائد | Jinnah Mausoleum
karachi-airport karachi 24.9065 67.1608 | Karachi Airport / د کراچۍ هوایي ډګر / میدان هوایی کراچی | Jinnah International Airport
imam-reza-shrine mashhad 36.2880 59.6157 | Imam Reza Shrine / د امام رضا روضه / حرم امام رضا | Haram-e Emam Reza; حرم مطهر
mashhad-airport mashhad 36.2352 59.6410 | Mashhad Airport / د مشهد هوایي ډګر / فرودگاه مشهد
azadi-tower tehran 35.6997 51.3380 | Azadi Tower / د ازادۍ برج / برج آزادی | Borj-e Azadi
milad-tower tehran 35.7448 51.3753 | Milad Tower / د میلاد برج / برج میلاد | Borj-e Milad
golestan-palace tehran 35.6797 51.4204 | Golestan Palace / د ګلستان ماڼۍ / کاخ گلستان | Kakh-e Golestan
tehran-airport tehran 35.4161 51.1522 | Imam Khomeini Airport / د امام خمیني هوایي ډګر / فرودگاه امام خمینی | Tehran airport; فرودگاه تهران
naqsh-e-jahan-square isfahan 32.6573 51.6777 | Naqsh-e Jahan Square / د نقش جهان ډګر / میدان نقش جهان | Imam Square
si-o-se-pol isfahan 32.6446 51.6677 | Si-o-se-pol / سي و سه پل / سی‌وسه‌پل | Thirty-three Bridge
tomb-of-hafez shiraz 29.6256 52.5584 | Tomb of Hafez / د حافظ مزار / آرامگاه حافظ | Hafezieh tomb
persepolis shiraz 29.9355 52.8916 | Persepolis / تخت جمشید / تخت جمشید | Takht-e Jamshid
rudaki-park dushanbe 38.5770 68.7860 | Rudaki Park / د رودکي پارک / پارک رودکی
registan-square samarkand 39.6547 66.9758 | Registan Square / د رېګستان ډګر / میدان ریگستان
gur-e-amir samarkand 39.6484 66.9691 | Gur-e Amir / ګور امیر / گور امیر | Tomb of Timur; Guri Amir
ark-of-bukhara bukhara 39.7776 64.4098 | Ark of Bukhara / د بخارا ارګ / ارگ بخارا | Bukhara Fortress
itchan-kala khiva 41.3783 60.3590 | Itchan Kala / ایچان قلعه / ایچان‌قلعه | Ichan Qala
burj-khalifa dubai 25.1972 55.2744 | Burj Khalifa / برج خلیفه / برج خلیفه
dubai-airport dubai 25.2532 55.3657 | Dubai Airport / د دوبۍ هوایي ډګر / فرودگاه دبی | مطار دبي
sheikh-zayed-mosque abu-dhabi 24.4128 54.4750 | Sheikh Zayed Mosque / د شیخ زاید جومات / مسجد شیخ زاید | Sheikh Zayed Grand Mosque
hamad-airport doha 25.2609 51.6138 | Hamad International Airport / د حمد نړیوال هوایي ډګر / فرودگاه بین‌المللی حمد | Doha airport
museum-of-islamic-art doha 25.2954 51.5393 | Museum of Islamic Art / د اسلامي هنر موزیم / موزیم هنر اسلامی
masjid-al-haram makkah 21.4225 39.8262 | Masjid al-Haram / مسجد الحرام / مسجدالحرام | Great Mosque of Mecca; Kaaba; Haram; کعبه; المسجد الحرام
prophets-mosque madinah 24.4672 39.6111 | Prophet's Mosque / مسجد نبوي / مسجد نبوی | Masjid an-Nabawi; Masjid Nabawi; المسجد النبوي
quba-mosque madinah 24.4393 39.6172 | Quba Mosque / د قبا جومات / مسجد قبا | Masjid Quba
jeddah-airport jeddah 21.6796 39.1565 | Jeddah Airport / د جدې هوایي ډګر / فرودگاه جده | King Abdulaziz Airport
imam-husayn-shrine karbala 32.6164 44.0324 | Imam Husayn Shrine / د امام حسین روضه / حرم امام حسین | Imam Hussein Shrine; العتبة الحسينية
erbil-citadel erbil 36.1912 44.0092 | Erbil Citadel / د اربیل کلا / قلعه اربیل | Qalat Erbil
pyramids-of-giza cairo 29.9792 31.1342 | Pyramids of Giza / د جیزې اهرامونه / اهرام جیزه | Giza Pyramids; الأهرامات
al-azhar-mosque cairo 30.0457 31.2626 | Al-Azhar Mosque / د الازهر جومات / مسجد الازهر
hagia-sophia istanbul 41.0086 28.9802 | Hagia Sophia / ایا صوفیه / ایاصوفیه | Ayasofya; Aya Sofia
sultan-ahmed-mosque istanbul 41.0054 28.9768 | Sultan Ahmed Mosque / د سلطان احمد جومات / مسجد سلطان احمد | Blue Mosque of Istanbul; Sultanahmet Camii
grand-bazaar istanbul 41.0107 28.9681 | Grand Bazaar / لوی بازار / بازار بزرگ | Kapali Carsi
topkapi-palace istanbul 41.0115 28.9833 | Topkapi Palace / د توپقاپي ماڼۍ / کاخ توپقاپی
taksim-square istanbul 41.0370 28.9850 | Taksim Square / د تقسیم ډګر / میدان تقسیم | Taksim Meydani
istanbul-airport istanbul 41.2753 28.7519 | Istanbul Airport / د استانبول هوایي ډګر / فرودگاه استانبول
mevlana-museum konya 37.8706 32.5049 | Mevlana Museum / د مولانا موزیم / آرامگاه مولانا | Tomb of Rumi
anitkabir ankara 39.9255 32.8369 | Anitkabir / انیت قبر / آنیت‌قبر | Ataturk Mausoleum
taj-mahal agra 27.1751 78.0421 | Taj Mahal / تاج محل / تاج محل
red-fort delhi 28.6562 77.2410 | Red Fort / سره کلا / قلعه سرخ | Lal Qila; Lal Quila
qutb-minar delhi 28.5245 77.1855 | Qutb Minar / قطب منار / قطب منار | Qutub Minar; Kutub Minar
gateway-of-india mumbai 18.9220 72.8347 | Gateway of India / د هند دروازه / دروازه هند
dal-lake srinagar 34.1106 74.8683 | Dal Lake / د ډل جهیل / دریاچه دل
hawa-mahal jaipur 26.9239 75.8267 | Hawa Mahal / هوا محل / هوا محل | Palace of Winds
boudhanath kathmandu 27.7215 85.3620 | Boudhanath / بودهانات / بودهانات | Boudha Stupa; Bodnath
grand-palace bangkok 13.7500 100.4913 | Grand Palace / لویه ماڼۍ / کاخ بزرگ بانکوک
petronas-towers kuala-lumpur 3.1579 101.7116 | Petronas Towers / د پېتروناس برجونه / برج‌های پتروناس | KLCC; Petronas Twin Towers
monas jakarta -6.1754 106.8272 | National Monument / ملي څلی / بنای یادبود ملی | Monas
tokyo-tower tokyo 35.6586 139.7454 | Tokyo Tower / د توکیو برج / برج توکیو
gyeongbokgung seoul 37.5796 126.9770 | Gyeongbokgung / ګیونګبوک ګونګ / گیونگ‌بوک‌گونگ | Gyeongbok Palace
big-ben london 51.5007 -0.1246 | Big Ben / بیګ بین / بیگ بن | Westminster
tower-bridge london 51.5055 -0.0754 | Tower Bridge / د برج پله / پل برج
british-museum london 51.5194 -0.1270 | British Museum / بریتانوي موزیم / موزیم بریتانیا
heathrow-airport london 51.4700 -0.4543 | Heathrow Airport / د هېترو هوایي ډګر / فرودگاه هیترو | London airport
brandenburg-gate berlin 52.5163 13.3777 | Brandenburg Gate / د برانډنبورګ دروازه / دروازه براندنبورگ | Brandenburger Tor
alexanderplatz berlin 52.5219 13.4132 | Alexanderplatz / الکساندر پلاتز / الکساندرپلاتز
hamburg-central-station hamburg 53.5530 10.0069 | Hamburg Central Station / د هامبورګ مرکزي سټېشن / ایستگاه مرکزی هامبورگ | Hamburg Hauptbahnhof; Hamburg Hbf
frankfurt-airport frankfurt 50.0379 8.5622 | Frankfurt Airport / د فرانکفورټ هوایي ډګر / فرودگاه فرانکفورت
eiffel-tower paris 48.8584 2.2945 | Eiffel Tower / د ایفل برج / برج ایفل | Tour Eiffel
louvre paris 48.8606 2.3376 | Louvre / لوور / لوور | Musee du Louvre
stephansdom vienna 48.2085 16.3731 | St. Stephen's Cathedral / د سېنټ سټېفن کلیسا / کلیسای سنت استفان | Stephansdom
colosseum rome 41.8902 12.4922 | Colosseum / کولوسیم / کولوسئوم | Colosseo
vatican rome 41.9022 12.4539 | St. Peter's Basilica / د سنت پیتر کلیسا / کلیسای سنت پیتر | Vatican; Vaticano
alhambra granada 37.1761 -3.5881 | Alhambra / الحمرا / الحمرا | La Alhambra; قصر الحمراء
anne-frank-house amsterdam 52.3752 4.8840 | Anne Frank House / د ان فرانک کور / خانه آن فرانک | Anne Frank Huis
gamla-stan stockholm 59.3250 18.0707 | Gamla Stan / ګاملا ستان / گاملا استان
hallgrimskirkja reykjavik 64.1417 -21.9266 | Hallgrímskirkja / هالګریمسکیرکیا / هالگریمسکیرکیا
times-square new-york 40.7580 -73.9855 | Times Square / ټایمز سکوېر / میدان تایمز
jfk-airport new-york 40.6413 -73.7781 | John F. Kennedy Airport / د جان کېنیډي هوایي ډګر / فرودگاه جان اف کندی | JFK
cn-tower toronto 43.6426 -79.3871 | CN Tower / سي این برج / برج سی‌ان
waikiki-beach honolulu 21.2766 -157.8278 | Waikiki Beach / د ویکیکي ساحل / ساحل وایکیکی
table-mountain cape-town -33.9628 18.4098 | Table Mountain / د مېز غر / کوه میز
opera-house sydney -33.8568 151.2153 | Sydney Opera House / د سېډني اوپرا / خانه اپرای سیدنی
jemaa-el-fnaa marrakesh 31.6258 -7.9891 | Jemaa el-Fnaa / جامع الفنا / جامع الفنا | Djemaa el Fna; جامع الفناء
`
