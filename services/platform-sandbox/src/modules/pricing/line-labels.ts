import type { Names } from '../../world/world.ts'
import type { BillLine, LineKind } from './engine/bill.ts'

const label = (en: string, ps: string, fa: string): Names => ({
  default: en,
  localized: { 'ps-AF': ps, 'fa-AF': fa },
})

const BY_KIND: Readonly<Record<LineKind, Names>> = {
  night: label('Night', 'شپه', 'شب'),
  extra: label('Extra guest', 'اضافي مېلمه', 'مهمان اضافی'),
  discount: label('Long-stay discount', 'د اوږدې پاتې کېدنې تخفیف', 'تخفیف اقامت طولانی'),
  promotion: label('Promotion', 'ځانګړی تخفیف', 'تخفیف ویژه'),
  fee: label('Fee', 'فیس', 'هزینه'),
  tax: label('Tax', 'مالیه', 'مالیه'),
}

const BY_CODE: Readonly<Record<string, Names>> = {
  'EXTRA-ADULT': label('Extra adult', 'اضافي لوی کس', 'بزرگسال اضافی'),
  'EXTRA-CHILD': label('Child', 'ماشوم', 'کودک'),
  CLEANING: label('Cleaning fee', 'د پاکولو فیس', 'هزینهٔ نظافت'),
  RESORT: label('Resort fee', 'د اسانتیاوو فیس', 'هزینهٔ امکانات'),
  'HOTEL-TAX': label('Hotel tax', 'د هوټل مالیه', 'مالیهٔ هوتل'),
  GST: label('Sales tax', 'د پلور مالیه', 'مالیهٔ فروش'),
  MUNICIPALITY: label('Municipality fee', 'د ښاروالۍ محصول', 'محصول شاروالی'),
  VAT: label('Value added tax', 'د زیاتېدونکي ارزښت مالیه', 'مالیهٔ ارزش افزوده'),
  'TOURISM-DIRHAM': label('Tourism dirham', 'د ګرځندوی درهم', 'درهم گردشگری'),
  'ACCOMMODATION-TAX': label('Accommodation tax', 'د استوګنې مالیه', 'مالیهٔ اقامت'),
  'CITY-TAX': label('City tax', 'د ښار مالیه', 'مالیهٔ شهر'),
}

/** Codes of plans and promotions are chosen by hotels; those lines are labelled by their kind. */
export function lineLabel({ kind, code }: BillLine): Names {
  const isOurs = kind === 'extra' || kind === 'fee' || kind === 'tax'
  const known = isOurs && Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined
  return known ?? BY_KIND[kind]
}
