import type { AmenityCode } from '../amenities.ts'
import { readNames } from '../names.ts'
import type { Names } from '../world.ts'

/** The sentence in the description of a house for each of its amenities. */
const TABLE: Partial<Record<AmenityCode, string>> = {
  breakfast:
    'Breakfast comes with warm bread and green tea. / سهارنی له تودې ډوډۍ او شنو چایو سره وي. / صبحانه با نان گرم و چای سبز آماده می‌شود.',
  'halal-kitchen':
    'The kitchen is halal and cooks for groups too. / پخلنځی حلال دی او د ډلو لپاره هم پخلی کوي. / آشپزخانه حلال است و برای گروه‌ها نیز غذا می‌پزد.',
  generator:
    'A generator of its own keeps the lights on at night. / خپل جنراتور لري او د شپې هم برېښنا شته. / جنراتور شخصی دارد و شب‌ها نیز برق هست.',
  'women-only-floor':
    'One floor is for women only. / یو پوړ یوازې د ښځو لپاره دی. / یک منزل تنها برای خانم‌ها است.',
  'airport-pickup':
    'A driver meets guests at the airport. / موټروان مېلمانه له هوایي ډګره راولي. / راننده مهمانان را از میدان هوایی می‌آورد.',
  courtyard:
    'The rooms look onto a quiet courtyard. / خونې د یوه ارام انګړ پر لور دي. / اتاق‌ها رو به حویلی آرام دارند.',
  garden: 'Tea is served in the garden. / چای په بڼ کې ورکول کېږي. / چای در باغ داده می‌شود.',
  'rooftop-terrace':
    'The roof terrace looks over the whole town. / د بام له چوترې ټول ښار ښکاري. / از تراس بام تمام شهر دیده می‌شود.',
  'family-rooms':
    'Families are welcome and cots are free. / کورنۍ ښه راغلې دي او د ماشوم بستره وړیا ده. / خانواده‌ها خوش آمده‌اند و تخت کودک رایگان است.',
  'tea-house':
    'Neighbours come to the tea house in the evening. / ګاونډیان ماښام چایخونې ته راځي. / همسایه‌ها شام به چایخانه می‌آیند.',
  'meeting-room':
    'There is a quiet room for meetings. / د غونډو لپاره ارامه خونه شته. / برای جلسه‌ها اتاق آرامی هست.',
  pool: 'The pool is open from spring to autumn. / حوض له پسرلي تر مني خلاص وي. / حوض از بهار تا خزان باز است.',
  wifi: 'Wi-Fi reaches every room. / وای‌فای هرې خونې ته رسېږي. / وای‌فای به همه اتاق‌ها می‌رسد.',
}

export const SENTENCES: ReadonlyMap<string, Names> = new Map(
  Object.entries(TABLE).map(([code, text]) => [code, readNames(text)]),
)
