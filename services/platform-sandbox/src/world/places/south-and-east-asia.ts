import type { PlaceTable } from '../read-places.ts'

export const SOUTH_AND_EAST_ASIA: readonly PlaceTable[] = [
  {
    country: 'IN',
    timeZone: 'Asia/Kolkata',
    rows: `
delhi 28.6139 77.2090 town 9km x70 | Delhi / ډیلي / دهلی | | दिल्ली
  Lajpat Nagar = لاجپت نګر = لاجپت نگر; Old Delhi = زوړ ډیلي = دهلی کهنه; Karol Bagh = کرول باغ
mumbai 19.0760 72.8777 sea 7km @60 x35 | Mumbai / ممبۍ / بمبئی | Maharashtra / مهاراشټرا / مهاراشترا | मुंबई
  Colaba; Bandra; Andheri
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
  Thamel; Patan; Boudha
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
  Nana; Ari; Sathorn
`,
  },
  {
    country: 'MY',
    timeZone: 'Asia/Kuala_Lumpur',
    rows: `
kuala-lumpur 3.1390 101.6869 town 6km x30 | Kuala Lumpur / کوالالمپور / کوالالامپور
  Bukit Bintang; Chow Kit; Bangsar
`,
  },
  {
    country: 'ID',
    timeZone: 'Asia/Jakarta',
    rows: `
jakarta -6.2088 106.8456 sea 7km @180 x20 | Jakarta / جکارتا / جاکارتا
  Menteng; Kemang; Kota Tua
`,
  },
  {
    country: 'JP',
    timeZone: 'Asia/Tokyo',
    rows: `
tokyo 35.6812 139.7671 town 8km @300 x30 | Tokyo / توکیو / توکیو | | 東京
  Shinjuku; Asakusa; Shibuya
`,
  },
  {
    country: 'KR',
    timeZone: 'Asia/Seoul',
    rows: `
seoul 37.5665 126.9780 town 7km x20 | Seoul / سیول / سئول | | 서울
  Itaewon; Jongno; Mapo
`,
  },
]
