import type { PlaceTable } from '../read-places.ts'

export const AFGHANISTAN: readonly PlaceTable[] = [
  {
    country: 'AF',
    timeZone: 'Asia/Kabul',
    rows: `
kabul 34.5281 69.1723 mountain 7km x520 | Kabul / کابل / کابل
  Shahr-e Naw = نوی ښار = شهر نو; Wazir Akbar Khan = وزیر اکبر خان; Karte Seh = درېیمه کارته = کارته سه; Karte Char = څلورمه کارته = کارته چهار; Taimani = تایمني = تایمنی; Khair Khana = خیرخانه; Macroyan = مکروریان; Deh Afghanan = ده افغانان; Murad Khani = مرادخاني = مرادخانی; Darulaman = دارالامان
herat 34.3529 62.2040 desert 4km x150 | Herat / هرات / هرات
  Old City = زوړ ښار = شهر کهنه; Shahr-e Naw = نوی ښار = شهر نو; Takht-e Safar = تخت سفر; Bagh-e Azadi = د ازادۍ باغ = باغ آزادی; Baghcha-e Mehtar = باغچه مهتر
mazar-i-sharif 36.7090 67.1109 desert 4km x140 | Mazar-i-Sharif / مزار شریف / مزار شریف | Balkh / بلخ / بلخ
  Rawza = روضه; Darwaza-e Balkh = د بلخ دروازه = دروازه بلخ; Karte Ariana = د اریانا کارته = کارته آریانا; Karte Bukhdi = د بخدي کارته = کارته بخدی
bamyan 34.8216 67.8273 mountain 3km x90 | Bamyan / بامیان / بامیان
  Bazaar = بازار; Sar-e Asyab = سر اسیاب = سر آسیاب; Zargaran = زرګران = زرگران; Mullah Ghulam = ملا غلام
kandahar 31.6289 65.7372 desert 4km x110 | Kandahar / کندهار / قندهار
  Shahr-e Naw = نوی ښار = شهر نو; Aino Mina = عینو مېنه = عینومینه; Shikarpur Gate = شکارپور دروازه = دروازه شکارپور; Herat Gate = هرات دروازه = دروازه هرات
jalalabad 34.4265 70.4515 mountain 3km x90 | Jalalabad / جلال اباد / جلال‌آباد | Nangarhar / ننګرهار / ننگرهار
  Old City = زوړ ښار = شهر کهنه; Angur Bagh = انګور باغ = انگورباغ; Joy Haft = جوی هفت; Reg Shah Mard Khan = رېګ شاه مردخان = ریگ شاه‌مردخان
kunduz 36.7280 68.8681 town 3km x45 | Kunduz / کندز / قندوز
  Bandar-e Kabul = د کابل بندر = بندر کابل; Bandar-e Imam = د امام بندر = بندر امام
ghazni 33.5536 68.4269 mountain 2km x35 | Ghazni / غزني / غزنی
  Old City = زوړ ښار = شهر کهنه; Plan-e Seh = درېیم پلان = پلان سه
faizabad 37.1166 70.5800 mountain 2km x25 | Faizabad / فیض اباد / فیض‌آباد | Badakhshan / بدخشان / بدخشان
  Shahr-e Kohna = زوړ ښار = شهر کهنه; Shahr-e Naw = نوی ښار = شهر نو
taloqan 36.7361 69.5345 town 2km x20 | Taloqan / تالقان / تالقان | Takhar / تخار / تخار
pul-e-khumri 35.9446 68.7151 mountain 2km x25 | Pul-e Khumri / پلخمري / پل خمری | Baghlan / بغلان / بغلان
charikar 35.0136 69.1713 mountain 2km x20 | Charikar / چاریکار / چاریکار | Parwan / پروان / پروان
lashkar-gah 31.5938 64.3716 desert 3km x30 | Lashkar Gah / لښکرګاه / لشکرگاه | Helmand / هلمند / هلمند
  Karte Lagan = د لګان کارته = کارته لگان; Mukhtar = مختار
khost 33.3395 69.9204 mountain 2km x35 | Khost / خوست / خوست
  Matun = متون; Bazaar = بازار
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
  Band-e Amir = امیر بند = بند امیر; Bazaar = بازار
nili 33.7218 66.1302 mountain 1.5km x12 | Nili / نیلي / نیلی | Daykundi / دایکندي / دایکندی
`,
  },
]
