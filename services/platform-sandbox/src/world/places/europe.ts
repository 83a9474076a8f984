import type { PlaceTable } from '../read-places.ts'

export const EUROPE: readonly PlaceTable[] = [
  {
    country: 'GB',
    timeZone: 'Europe/London',
    rows: `
london 51.5074 -0.1278 town 9km x80 | London / لندن / لندن | England / انګلستان / انگلستان
  Bloomsbury; Whitechapel; Ealing; Southall; Camden
manchester 53.4808 -2.2426 town 5km x20 | Manchester / مانچسټر / منچستر | England / انګلستان / انگلستان
  Rusholme; Ancoats
birmingham 52.4862 -1.8904 town 5km x20 | Birmingham / برمنګهم / بیرمنگام | England / انګلستان / انگلستان
  Sparkhill; Digbeth
`,
  },
  {
    country: 'DE',
    timeZone: 'Europe/Berlin',
    rows: `
hamburg 53.5511 9.9937 town 6km x35 | Hamburg / هامبورګ / هامبورگ
  St. Georg; Altona; Eimsbüttel
berlin 52.5200 13.4050 town 8km x30 | Berlin / برلین / برلین
  Mitte; Kreuzberg; Neukölln
frankfurt 50.1109 8.6821 town 5km x25 | Frankfurt / فرانکفورټ / فرانکفورت | Hesse / هېسن / هسن
  Gallus; Sachsenhausen
`,
  },
  {
    country: 'FR',
    timeZone: 'Europe/Paris',
    rows: `
paris 48.8566 2.3522 town 6km x35 | Paris / پاریس / پاریس | Île-de-France / ایل دو فرانس / ایل‌دوفرانس
  Belleville; Marais; Montmartre
`,
  },
  {
    country: 'AT',
    timeZone: 'Europe/Vienna',
    rows: `
vienna 48.2082 16.3738 town 5km x25 | Vienna / ویانا / وین | | Wien
  Favoriten; Leopoldstadt
`,
  },
  {
    country: 'IT',
    timeZone: 'Europe/Rome',
    rows: `
rome 41.9028 12.4964 town 5km x25 | Rome / روم / رم | Lazio / لاتزیو / لاتزیو | Roma
  Trastevere; Esquilino
`,
  },
  {
    country: 'ES',
    timeZone: 'Europe/Madrid',
    rows: `
granada 37.1773 -3.5986 mountain 3km x20 | Granada / غرناطه / گرانادا | Andalusia / اندلس / اندلس
  Albaicín; Realejo
`,
  },
  {
    country: 'NL',
    timeZone: 'Europe/Amsterdam',
    rows: `
amsterdam 52.3676 4.9041 town 5km x25 | Amsterdam / امستردام / آمستردام | North Holland / شمالي هالنډ / هالند شمالی
  Jordaan; De Pijp
`,
  },
  {
    country: 'SE',
    timeZone: 'Europe/Stockholm',
    rows: `
stockholm 59.3293 18.0686 north 5km x25 | Stockholm / ستاکهولم / استکهلم
  Södermalm; Vasastan
`,
  },
  {
    country: 'BA',
    timeZone: 'Europe/Sarajevo',
    rows: `
sarajevo 43.8563 18.4131 mountain 3km x20 | Sarajevo / سراېوو / سارایوو
  Baščaršija; Marijin Dvor
`,
  },
  {
    country: 'NO',
    timeZone: 'Europe/Oslo',
    rows: `
tromso 69.6492 18.9553 north 3km x15 | Tromsø / ترومسو / ترومسو | Troms / ترومس / ترومس
  Sentrum; Tromsdalen
`,
  },
  {
    country: 'SJ',
    timeZone: 'Arctic/Longyearbyen',
    rows: `
longyearbyen 78.2232 15.6267 north 1.5km @180 x14 | Longyearbyen / لانګیربین / لانگیربین | Svalbard / سوالبارد / سوالبارد
  Sentrum; Nybyen
`,
  },
  {
    country: 'IS',
    timeZone: 'Atlantic/Reykjavik',
    rows: `
reykjavik 64.1466 -21.9426 north 4km @120 x15 | Reykjavík / رېکیاویک / ریکیاویک
  Miðborg; Laugardalur
`,
  },
]
