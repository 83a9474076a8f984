import type { PlaceTable } from '../read-places.ts'

export const SOUTH_AND_EAST_ASIA: readonly PlaceTable[] = [
  {
    country: 'IN',
    timeZone: 'Asia/Kolkata',
    rows: `
delhi 28.6139 77.2090 town 9km x70 | Delhi / ډیلي / دهلی | | दिल्ली
  Lajpat Nagar @28.5680,77.2430 = لاجپت نګر = لاجپت نگر; Old Delhi @28.6560,77.2300 = زوړ ډیلي = دهلی کهنه; Karol Bagh @28.6510,77.1900 = کرول باغ
mumbai 19.0760 72.8777 sea 7km @60 x35 | Mumbai / ممبۍ / بمبئی | Maharashtra / مهاراشټرا / مهاراشترا | मुंबई
  Colaba @18.9150,72.8260; Bandra @19.0540,72.8400; Andheri @19.1190,72.8460
srinagar 34.0837 74.7973 mountain 4km x30 | Srinagar / سرینګر / سرینگر | Jammu and Kashmir / جمو او کشمیر / جمو و کشمیر | سرینگر
agra 27.1767 78.0081 town 4km x25 | Agra / اګره / آگره | Uttar Pradesh / اوتر پردېش / اوتار پرادش | आगरा
jaipur 26.9124 75.7873 desert 5km x25 | Jaipur / جیپور / جی‌پور | Rajasthan / راجستان / راجستان | जयपुर
`,
  },
  {
    country: 'NP',
    timeZone: 'Asia/Kathmandu',
    rows: `
kathmandu 27.7172 85.3240 mountain 4km x30 | Kathmandu / کټمنډو / کاتماندو | Bagmati / باګمتي / باگماتی | काठमाडौं
  Thamel @27.7150,85.3120; Patan @27.6730,85.3250; Boudha @27.7215,85.3620
`,
  },
  {
    country: 'BD',
    timeZone: 'Asia/Dhaka',
    rows: `
dhaka 23.8103 90.4125 town 5km x20 | Dhaka / ډاکه / داکا | | ঢাকা
`,
  },
  {
    country: 'LK',
    timeZone: 'Asia/Colombo',
    rows: `
colombo 6.9271 79.8612 sea 5km @90 x15 | Colombo / کولمبو / کلمبو | Western Province / لوېدیځ ولایت / ولایت غربی | කොළඹ
`,
  },
  {
    country: 'TH',
    timeZone: 'Asia/Bangkok',
    rows: `
bangkok 13.7563 100.5018 town 7km x30 | Bangkok / بانکاک / بانکوک | | กรุงเทพฯ
  Nana @13.7400,100.5550; Ari @13.7800,100.5440; Sathorn @13.7200,100.5290
`,
  },
  {
    country: 'MY',
    timeZone: 'Asia/Kuala_Lumpur',
    rows: `
kuala-lumpur 3.1390 101.6869 town 6km x30 | Kuala Lumpur / کوالالمپور / کوالالامپور
  Bukit Bintang @3.1470,101.7110; Chow Kit @3.1660,101.6980; Bangsar @3.1290,101.6710
`,
  },
  {
    country: 'ID',
    timeZone: 'Asia/Jakarta',
    rows: `
jakarta -6.2088 106.8456 sea 7km @180 x20 | Jakarta / جکارتا / جاکارتا
  Menteng @-6.1950,106.8320; Kemang @-6.2610,106.8140; Kota Tua @-6.1350,106.8140
`,
  },
  {
    country: 'JP',
    timeZone: 'Asia/Tokyo',
    rows: `
tokyo 35.6812 139.7671 town 8km @300 x30 | Tokyo / توکیو / توکیو | | 東京
  Shinjuku @35.6938,139.7036; Asakusa @35.7148,139.7967; Shibuya @35.6595,139.7005
`,
  },
  {
    country: 'KR',
    timeZone: 'Asia/Seoul',
    rows: `
seoul 37.5665 126.9780 town 7km x20 | Seoul / سیول / سئول | | 서울
  Itaewon @37.5345,126.9946; Jongno @37.5704,126.9921; Mapo @37.5560,126.9230
`,
  },
]
