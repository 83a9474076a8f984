import type { PlaceTable } from '../read-places.ts'

export const EUROPE: readonly PlaceTable[] = [
  {
    country: 'GB',
    timeZone: 'Europe/London',
    rows: `
london 51.5074 -0.1278 town 9km x80 | London / لندن / لندن | England / انګلستان / انگلستان
  Bloomsbury @51.5220,-0.1260; Whitechapel @51.5170,-0.0600; Ealing @51.5130,-0.3050; Southall @51.5110,-0.3760; Camden @51.5390,-0.1430
manchester 53.4808 -2.2426 town 5km x20 | Manchester / مانچسټر / منچستر | England / انګلستان / انگلستان
  Rusholme @53.4540,-2.2200; Ancoats @53.4850,-2.2260
birmingham 52.4862 -1.8904 town 5km x20 | Birmingham / برمنګهم / بیرمنگام | England / انګلستان / انگلستان
  Sparkhill @52.4530,-1.8640; Digbeth @52.4750,-1.8820
`,
  },
  {
    country: 'DE',
    timeZone: 'Europe/Berlin',
    rows: `
hamburg 53.5511 9.9937 town 6km x35 | Hamburg / هامبورګ / هامبورگ
  St. Georg @53.5570,10.0130; Altona @53.5500,9.9350; Eimsbüttel @53.5740,9.9570
berlin 52.5200 13.4050 town 8km x30 | Berlin / برلین / برلین
  Mitte @52.5220,13.3980; Kreuzberg @52.4980,13.4060; Neukölln @52.4810,13.4350
frankfurt 50.1109 8.6821 town 5km x25 | Frankfurt / فرانکفورټ / فرانکفورت | Hesse / هېسن / هسن
  Gallus @50.1020,8.6400; Sachsenhausen @50.0990,8.6850
`,
  },
  {
    country: 'FR',
    timeZone: 'Europe/Paris',
    rows: `
paris 48.8566 2.3522 town 6km x35 | Paris / پاریس / پاریس | Île-de-France / ایل دو فرانس / ایل‌دوفرانس
  Belleville @48.8720,2.3850; Marais @48.8590,2.3620; Montmartre @48.8870,2.3400
`,
  },
  {
    country: 'AT',
    timeZone: 'Europe/Vienna',
    rows: `
vienna 48.2082 16.3738 town 5km x25 | Vienna / ویانا / وین | | Wien
  Favoriten @48.1730,16.3800; Leopoldstadt @48.2170,16.3910
`,
  },
  {
    country: 'IT',
    timeZone: 'Europe/Rome',
    rows: `
rome 41.9028 12.4964 town 5km x25 | Rome / روم / رم | Lazio / لاتزیو / لاتزیو | Roma
  Trastevere @41.8880,12.4690; Esquilino @41.8950,12.5050
`,
  },
  {
    country: 'ES',
    timeZone: 'Europe/Madrid',
    rows: `
granada 37.1773 -3.5986 mountain 3km x20 | Granada / غرناطه / گرانادا | Andalusia / اندلس / اندلس
  Albaicín @37.1810,-3.5930; Realejo @37.1720,-3.5930
`,
  },
  {
    country: 'NL',
    timeZone: 'Europe/Amsterdam',
    rows: `
amsterdam 52.3676 4.9041 town 5km x25 | Amsterdam / امستردام / آمستردام | North Holland / شمالي هالنډ / هالند شمالی
  Jordaan @52.3740,4.8800; De Pijp @52.3550,4.8940
`,
  },
  {
    country: 'SE',
    timeZone: 'Europe/Stockholm',
    rows: `
stockholm 59.3293 18.0686 north 5km x25 | Stockholm / ستاکهولم / استکهلم
  Södermalm @59.3150,18.0710; Vasastan @59.3440,18.0490
`,
  },
  {
    country: 'BA',
    timeZone: 'Europe/Sarajevo',
    rows: `
sarajevo 43.8563 18.4131 mountain 3km x20 | Sarajevo / سراېوو / سارایوو
  Baščaršija @43.8598,18.4313; Marijin Dvor @43.8560,18.4060
`,
  },
  {
    country: 'NO',
    timeZone: 'Europe/Oslo',
    rows: `
tromso 69.6492 18.9553 north 3km x15 | Tromsø / ترومسو / ترومسو | Troms / ترومس / ترومس
  Sentrum @69.6510,18.9560; Tromsdalen @69.6490,18.9970
`,
  },
  {
    country: 'SJ',
    timeZone: 'Arctic/Longyearbyen',
    rows: `
longyearbyen 78.2232 15.6267 north 1.5km @180 x14 | Longyearbyen / لانګیربین / لانگیربین | Svalbard / سوالبارد / سوالبارد
  Sentrum @78.2200,15.6440; Nybyen @78.2020,15.5910
`,
  },
  {
    country: 'IS',
    timeZone: 'Atlantic/Reykjavik',
    rows: `
reykjavik 64.1466 -21.9426 north 4km @120 x15 | Reykjavík / رېکیاویک / ریکیاویک
  Miðborg @64.1470,-21.9330; Laugardalur @64.1410,-21.8780
`,
  },
]
