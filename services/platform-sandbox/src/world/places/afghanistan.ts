import type { PlaceTable } from '../read-places.ts'

export const AFGHANISTAN: readonly PlaceTable[] = [
  {
    country: 'AF',
    timeZone: 'Asia/Kabul',
    rows: `
kabul 34.5281 69.1723 mountain 7km x520 | Kabul / کابل / کابل
  Shahr-e Naw @34.5330,69.1650 = نوی ښار = شهر نو; Wazir Akbar Khan @34.5370,69.1870 = وزیر اکبر خان; Karte Seh @34.5030,69.1400 = درېیمه کارته = کارته سه; Karte Char @34.5080,69.1300 = څلورمه کارته = کارته چهار; Taimani @34.5480,69.1480 = تایمني = تایمنی; Khair Khana @34.5750,69.1450 = خیرخانه; Macroyan @34.5290,69.2000 = مکروریان; Deh Afghanan @34.5210,69.1740 = ده افغانان; Murad Khani @34.5180,69.1800 = مرادخاني = مرادخانی; Darulaman @34.4680,69.1190 = دارالامان
herat 34.3529 62.2040 desert 4km x150 | Herat / هرات / هرات
  Old City @34.3420,62.1910 = زوړ ښار = شهر کهنه; Shahr-e Naw @34.3520,62.2130 = نوی ښار = شهر نو; Takht-e Safar @34.3860,62.2040 = تخت سفر; Bagh-e Azadi @34.3600,62.2000 = د ازادۍ باغ = باغ آزادی; Baghcha-e Mehtar @34.3500,62.1930 = باغچه مهتر
mazar-i-sharif 36.7090 67.1109 desert 4km x140 | Mazar-i-Sharif / مزار شریف / مزار شریف | Balkh / بلخ / بلخ
  Rawza @36.7085,67.1110 = روضه; Darwaza-e Balkh @36.7080,67.0920 = د بلخ دروازه = دروازه بلخ; Karte Ariana @36.7000,67.1250 = د اریانا کارته = کارته آریانا; Karte Bukhdi @36.7180,67.1250 = د بخدي کارته = کارته بخدی
bamyan 34.8216 67.8273 mountain 3km x90 | Bamyan / بامیان / بامیان
  Bazaar @34.8210,67.8270 = بازار; Sar-e Asyab @34.8260,67.8080 = سر اسیاب = سر آسیاب; Zargaran @34.8150,67.8420 = زرګران = زرگران; Mullah Ghulam @34.8320,67.8420 = ملا غلام
kandahar 31.6289 65.7372 desert 4km x110 | Kandahar / کندهار / قندهار
  Shahr-e Naw @31.6110,65.6900 = نوی ښار = شهر نو; Aino Mina @31.6560,65.7600 = عینو مېنه = عینومینه; Shikarpur Gate @31.6080,65.7130 = شکارپور دروازه = دروازه شکارپور; Herat Gate @31.6160,65.7000 = هرات دروازه = دروازه هرات
jalalabad 34.4265 70.4515 mountain 3km x90 | Jalalabad / جلال اباد / جلال‌آباد | Nangarhar / ننګرهار / ننگرهار
  Old City @34.4270,70.4490 = زوړ ښار = شهر کهنه; Angur Bagh @34.4210,70.4620 = انګور باغ = انگورباغ; Joy Haft @34.4170,70.4380 = جوی هفت; Reg Shah Mard Khan @34.4340,70.4600 = رېګ شاه مردخان = ریگ شاه‌مردخان
kunduz 36.7280 68.8681 town 3km x45 | Kunduz / کندز / قندوز
  Bandar-e Kabul @36.7170,68.8690 = د کابل بندر = بندر کابل; Bandar-e Imam @36.7400,68.8620 = د امام بندر = بندر امام
ghazni 33.5536 68.4269 mountain 2km x35 | Ghazni / غزني / غزنی
  Old City @33.5560,68.4240 = زوړ ښار = شهر کهنه; Plan-e Seh @33.5420,68.4200 = درېیم پلان = پلان سه
faizabad 37.1166 70.5800 mountain 2km x25 | Faizabad / فیض اباد / فیض‌آباد | Badakhshan / بدخشان / بدخشان
  Shahr-e Kohna @37.1180,70.5790 = زوړ ښار = شهر کهنه; Shahr-e Naw @37.1130,70.5560 = نوی ښار = شهر نو
taloqan 36.7361 69.5345 town 2km x20 | Taloqan / تالقان / تالقان | Takhar / تخار / تخار
pul-e-khumri 35.9446 68.7151 mountain 2km x25 | Pul-e Khumri / پلخمري / پل خمری | Baghlan / بغلان / بغلان
charikar 35.0136 69.1713 mountain 2km x20 | Charikar / چاریکار / چاریکار | Parwan / پروان / پروان
lashkar-gah 31.5938 64.3716 desert 3km x30 | Lashkar Gah / لښکرګاه / لشکرگاه | Helmand / هلمند / هلمند
  Karte Lagan @31.5830,64.3700 = د لګان کارته = کارته لگان; Mukhtar @31.6080,64.3850 = مختار
khost 33.3395 69.9204 mountain 2km x35 | Khost / خوست / خوست
  Matun @33.3400,69.9240 = متون; Bazaar @33.3390,69.9180 = بازار
gardez 33.5974 69.2259 mountain 2km x20 | Gardez / ګردېز / گردیز | Paktia / پکتیا / پکتیا
maimana 35.9214 64.7836 town 2km x18 | Maimana / میمنه / میمنه | Faryab / فاریاب / فاریاب
sheberghan 36.6676 65.7529 desert 2km x20 | Sheberghan / شبرغان / شبرغان | Jawzjan / جوزجان / جوزجان
firozkoh 34.5225 65.2517 mountain 2km x16 | Firozkoh / فېروزکوه / فیروزکوه | Ghor / غور / غور
zaranj 30.9597 61.8601 desert 2km x18 | Zaranj / زرنج / زرنج | Nimruz / نیمروز / نیمروز
farah 32.3745 62.1164 desert 2km x18 | Farah / فراه / فراه
asadabad 34.8731 71.1470 mountain 1.5km x15 | Asadabad / اسعد اباد / اسعدآباد | Kunar / کونړ / کنر
mehtarlam 34.6714 70.2094 mountain 1.5km x15 | Mehtarlam / مهترلام / مهترلام | Laghman / لغمان / لغمان
aybak 36.2653 68.0155 mountain 1.5km x15 | Aybak / ایبک / ایبک | Samangan / سمنګان / سمنگان
bazarak 35.3129 69.5152 mountain 2km x15 | Bazarak / بازارک / بازارک | Panjshir / پنجشېر / پنجشیر
ishkashim 36.7125 71.5723 mountain 1.5km x15 | Ishkashim / اشکاشم / اشکاشم | Badakhshan / بدخشان / بدخشان
yakawlang 34.7333 66.9667 mountain 3km x20 | Yakawlang / یکاولنګ / یکاولنگ | Bamyan / بامیان / بامیان
  Band-e Amir @34.8400,67.2300 = امیر بند = بند امیر; Bazaar @34.7340,66.9670 = بازار
nili 33.7218 66.1302 mountain 1.5km x12 | Nili / نیلي / نیلی | Daykundi / دایکندي / دایکندی
`,
  },
]
