import type { PlaceTable } from '../read-places.ts'

/** The Americas, Africa and the Pacific; some are on either side of the antimeridian. */
export const FAR_AWAY: readonly PlaceTable[] = [
  {
    country: 'US',
    timeZone: 'America/New_York',
    rows: `
new-york 40.7580 -73.9855 town 7km @330 x45 | New York / نیویارک / نیویورک
  Flushing; Astoria; Midtown
`,
  },
  {
    country: 'US',
    timeZone: 'America/Los_Angeles',
    rows: `
fremont 37.5485 -121.9886 town 5km x25 | Fremont / فریمونټ / فریمونت | California / کلیفورنیا / کالیفرنیا
  Little Kabul = کوچنی کابل = کابل کوچک; Niles
`,
  },
  {
    country: 'US',
    timeZone: 'Pacific/Honolulu',
    rows: `
honolulu 21.3069 -157.8583 sea 4km @30 x15 | Honolulu / هونولولو / هونولولو | Hawaii / هاوایي / هاوایی
  Waikiki; Manoa
`,
  },
  {
    country: 'CA',
    timeZone: 'America/Toronto',
    rows: `
toronto 43.6532 -79.3832 town 7km @340 x35 | Toronto / ټورنټو / تورنتو | Ontario / انټاریو / انتاریو
  Thorncliffe Park; Kensington Market
`,
  },
  {
    country: 'BR',
    timeZone: 'America/Sao_Paulo',
    rows: `
sao-paulo -23.5505 -46.6333 town 7km x20 | São Paulo / ساو پاولو / سائو پائولو
  Vila Madalena; Liberdade
`,
  },
  {
    country: 'AR',
    timeZone: 'America/Argentina/Ushuaia',
    rows: `
ushuaia -54.8019 -68.3030 north 2km @330 x20 | Ushuaia / اوشوایا / اوشوایا | Tierra del Fuego / تیېرا دل فوېګو / تیرا دل فوئگو
  Centro; Las Hayas
`,
  },
  {
    country: 'MA',
    timeZone: 'Africa/Casablanca',
    rows: `
marrakesh 31.6295 -7.9811 desert 4km x30 | Marrakesh / مراکش / مراکش | | مراكش
  Medina = زوړ ښار = شهر کهنه; Gueliz = جلیز
`,
  },
  {
    country: 'KE',
    timeZone: 'Africa/Nairobi',
    rows: `
nairobi -1.2921 36.8219 town 6km x20 | Nairobi / نایروبي / نایروبی
  Westlands; Eastleigh
`,
  },
  {
    country: 'ZA',
    timeZone: 'Africa/Johannesburg',
    rows: `
cape-town -33.9249 18.4241 sea 5km @110 x20 | Cape Town / کېپ ټاون / کیپ‌تاون | Western Cape / لوېدیځ کېپ / کیپ غربی
  Bo-Kaap; Observatory
`,
  },
  {
    country: 'AU',
    timeZone: 'Australia/Sydney',
    rows: `
sydney -33.8688 151.2093 sea 7km @270 x25 | Sydney / سېډني / سیدنی | New South Wales / نیو ساوت ویلز / نیو ساوت ولز
  Merrylands; Newtown
`,
  },
  {
    country: 'NZ',
    timeZone: 'Pacific/Auckland',
    rows: `
auckland -36.8509 174.7645 sea 5km @180 x25 | Auckland / اکلنډ / اوکلند
  Ponsonby; Parnell
`,
  },
  {
    country: 'FJ',
    timeZone: 'Pacific/Fiji',
    rows: `
suva -18.1248 178.4501 sea 3km @0 x25 | Suva / سووا / سووا | Central Fiji / مرکزي فیجي / فیجی مرکزی
  Toorak; Lami
nadi -17.8030 177.4162 sea 4km @90 x25 | Nadi / ناډي / نادی | Western Fiji / لوېدیځ فیجي / فیجی غربی
  Wailoaloa; Martintar
taveuni -16.8667 179.9833 sea 6km x18 | Taveuni / تاوېوني / تاوئونی | Northern Fiji / شمالي فیجي / فیجی شمالی
  Matei; Waiyevo
`,
  },
  {
    country: 'WS',
    timeZone: 'Pacific/Apia',
    rows: `
apia -13.8333 -171.7667 sea 4km @180 x20 | Apia / اپیا / آپیا
  Matautu; Vaiala
`,
  },
  {
    country: 'TO',
    timeZone: 'Pacific/Tongatapu',
    rows: `
nukualofa -21.1394 -175.2018 sea 3km @180 x12 | Nukuʻalofa / نوکوالوفا / نوکوآلوفا
`,
  },
  {
    country: 'RU',
    timeZone: 'Asia/Anadyr',
    rows: `
anadyr 64.7337 177.4968 north 2km x20 | Anadyr / اناډیر / آنادیر | Chukotka / چوکوتکا / چوکوتکا | Анадырь
`,
  },
]
