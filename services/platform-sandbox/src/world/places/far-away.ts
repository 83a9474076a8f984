import type { PlaceTable } from '../read-places.ts'

/** The Americas, Africa and the Pacific; some are on either side of the antimeridian. */
export const FAR_AWAY: readonly PlaceTable[] = [
  {
    country: 'US',
    timeZone: 'America/New_York',
    rows: `
new-york 40.7580 -73.9855 town 7km @330 x45 | New York / نیویارک / نیویورک
  Flushing @40.7630,-73.8300; Astoria @40.7640,-73.9230; Midtown @40.7540,-73.9840
`,
  },
  {
    country: 'US',
    timeZone: 'America/Los_Angeles',
    rows: `
fremont 37.5485 -121.9886 town 5km x25 | Fremont / فریمونټ / فریمونت | California / کلیفورنیا / کالیفرنیا
  Little Kabul @37.5590,-122.0090 = کوچنی کابل = کابل کوچک; Niles @37.5780,-121.9780
`,
  },
  {
    country: 'US',
    timeZone: 'Pacific/Honolulu',
    rows: `
honolulu 21.3069 -157.8583 sea 4km @30 x15 | Honolulu / هونولولو / هونولولو | Hawaii / هاوایي / هاوایی
  Waikiki @21.2790,-157.8290; Manoa @21.3110,-157.8080
`,
  },
  {
    country: 'CA',
    timeZone: 'America/Toronto',
    rows: `
toronto 43.6532 -79.3832 town 7km @340 x35 | Toronto / ټورنټو / تورنتو | Ontario / انټاریو / انتاریو
  Thorncliffe Park @43.7050,-79.3450; Kensington Market @43.6545,-79.4010
`,
  },
  {
    country: 'BR',
    timeZone: 'America/Sao_Paulo',
    rows: `
sao-paulo -23.5505 -46.6333 town 7km x20 | São Paulo / ساو پاولو / سائو پائولو
  Vila Madalena @-23.5540,-46.6910; Liberdade @-23.5590,-46.6350
`,
  },
  {
    country: 'AR',
    timeZone: 'America/Argentina/Ushuaia',
    rows: `
ushuaia -54.8019 -68.3030 north 2km @330 x20 | Ushuaia / اوشوایا / اوشوایا | Tierra del Fuego / تیېرا دل فوېګو / تیرا دل فوئگو
  Centro @-54.8070,-68.3070; Las Hayas @-54.7970,-68.3500
`,
  },
  {
    country: 'MA',
    timeZone: 'Africa/Casablanca',
    rows: `
marrakesh 31.6295 -7.9811 desert 4km x30 | Marrakesh / مراکش / مراکش | | مراكش
  Medina @31.6290,-7.9870 = زوړ ښار = شهر کهنه; Gueliz @31.6340,-8.0100 = جلیز
`,
  },
  {
    country: 'KE',
    timeZone: 'Africa/Nairobi',
    rows: `
nairobi -1.2921 36.8219 town 6km x20 | Nairobi / نایروبي / نایروبی
  Westlands @-1.2680,36.8080; Eastleigh @-1.2730,36.8500
`,
  },
  {
    country: 'ZA',
    timeZone: 'Africa/Johannesburg',
    rows: `
cape-town -33.9249 18.4241 sea 5km @110 x20 | Cape Town / کېپ ټاون / کیپ‌تاون | Western Cape / لوېدیځ کېپ / کیپ غربی
  Bo-Kaap @-33.9210,18.4150; Observatory @-33.9380,18.4720
`,
  },
  {
    country: 'AU',
    timeZone: 'Australia/Sydney',
    rows: `
sydney -33.8688 151.2093 sea 7km @270 x25 | Sydney / سېډني / سیدنی | New South Wales / نیو ساوت ویلز / نیو ساوت ولز
  Merrylands @-33.8370,150.9930; Newtown @-33.8980,151.1790
`,
  },
  {
    country: 'NZ',
    timeZone: 'Pacific/Auckland',
    rows: `
auckland -36.8509 174.7645 sea 5km @180 x25 | Auckland / اکلنډ / اوکلند
  Ponsonby @-36.8470,174.7440; Parnell @-36.8560,174.7810
`,
  },
  {
    country: 'FJ',
    timeZone: 'Pacific/Fiji',
    rows: `
suva -18.1248 178.4501 sea 3km @0 x25 | Suva / سووا / سووا | Central Fiji / مرکزي فیجي / فیجی مرکزی
  Toorak @-18.1390,178.4290; Lami @-18.1140,178.4130
nadi -17.8030 177.4162 sea 4km @90 x25 | Nadi / ناډي / نادی | Western Fiji / لوېدیځ فیجي / فیجی غربی
  Wailoaloa @-17.7720,177.4240; Martintar @-17.7770,177.4330
taveuni -16.8667 179.9833 sea 6km x18 | Taveuni / تاوېوني / تاوئونی | Northern Fiji / شمالي فیجي / فیجی شمالی
  Matei @-16.6890,-179.8770; Waiyevo @-16.7900,-179.9870
`,
  },
  {
    country: 'WS',
    timeZone: 'Pacific/Apia',
    rows: `
apia -13.8333 -171.7667 sea 4km @180 x20 | Apia / اپیا / آپیا
  Matautu @-13.8270,-171.7570; Vaiala @-13.8290,-171.7530
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
