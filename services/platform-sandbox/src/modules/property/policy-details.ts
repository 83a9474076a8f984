import type { PolicyDetails } from '@melmastoon/upstream-contracts/property'
import { CHILD_PRICE_AGES, minGuestAgeOf } from '../../world/guest-ages.ts'
import { joined, names, readNames } from '../../world/names.ts'
import { SeededRandom } from '../../world/seeded-random.ts'
import { easternDigits } from '../../world/words/eastern-digits.ts'
import type { Names, WorldProperty } from '../../world/world.ts'

const NO_EXTRA_BEDS = readNames('There are no extra beds. / اضافي بسترې نشته. / بستر اضافی نیست.')
const EXTRA_BED = readNames(
  'One extra bed per room on request. / د غوښتنې له مخې په هره خونه کې یوه اضافي بستره شته. / به درخواست مهمان در هر اتاق یک بستر اضافی هست.',
)
const CRIBS = readNames('Cribs are free. / د ماشوم بستره وړیا ده. / تخت کودک رایگان است.')
const NO_PETS = readNames(
  'Pets are not allowed. / د څارویو راوستل اجازه نه لري. / آوردن حیوانات اجازه نیست.',
)
const PETS = readNames(
  'Small pets are welcome. / واړه څاروي راوستلای شئ. / حیوانات کوچک را آورده می‌توانید.',
)
const ANY_TIME = readNames(
  'The front desk is open day and night. / د هرکلي مېز شپه او ورځ خلاص وي. / پذیرش شبانه‌روزی است.',
)
const TAZKIRA_OR_PASSPORT = readNames(
  'Afghan guests show a tazkira, others a passport. / افغان مېلمانه تذکره او نور پاسپورټ ښيي. / مهمانان افغان تذکره و دیگران پاسپورت نشان می‌دهند.',
)
const PASSPORT_OR_CARD = readNames(
  'Guests show a passport or an identity card. / مېلمانه پاسپورټ یا پېژندپاڼه ښيي. / مهمانان پاسپورت یا کارت هویت نشان می‌دهند.',
)

/** Determined by the house: its kind, its class and its country. */
export function policyDetailsOf(house: WorldProperty): PolicyDetails {
  const random = SeededRandom.of(`policies:${house.propertyId}`)
  return {
    children: childrenOf(house),
    extraBeds: extraBedsOf(random, house),
    pets: petsOf(random, house),
    lateArrival: lateArrivalOf(random, house),
    identityDocuments: documentsOf(house),
  }
}

function childrenOf(house: WorldProperty): PolicyDetails['children'] {
  const minAge = minGuestAgeOf(house)
  if (minAge !== null) return { text: adultsOnly(minAge), allowed: false, minAge }
  const freeUntilAge = CHILD_PRICE_AGES.reduced - 1
  const age = easternDigits(freeUntilAge)
  const text = names(
    `Children up to ${freeUntilAge} years stay free in the beds of their parents.`,
    `ماشومان تر ${age} کلنۍ د مور او پلار په بستره کې وړیا دي.`,
    `کودکان تا ${age} سالگی در بستر والدین رایگان‌اند.`,
  )
  return { text, allowed: true, freeUntilAge }
}

function adultsOnly(minAge: number): Names {
  const age = easternDigits(minAge)
  return names(
    `Guests must be at least ${minAge} years old.`,
    `مېلمانه باید لږ تر لږه ${age} کلن وي.`,
    `مهمانان باید دست‌کم ${age} ساله باشند.`,
  )
}

function extraBedsOf(random: SeededRandom, house: WorldProperty): PolicyDetails['extraBeds'] {
  const isFamiliar = house.amenities.includes('family-rooms') || house.propertyType === 'apartment'
  const hasBeds = house.propertyType !== 'hostel' && (isFamiliar || random.chance(0.5))
  const cribs = house.propertyType !== 'hostel' && (isFamiliar || random.chance(0.4))
  const beds = hasBeds ? EXTRA_BED : NO_EXTRA_BEDS
  return { text: cribs ? joined(beds, CRIBS) : beds, maxPerRoom: hasBeds ? 1 : 0, cribs }
}

function petsOf(random: SeededRandom, house: WorldProperty): PolicyDetails['pets'] {
  const allowed = house.propertyType === 'apartment' && random.chance(0.4)
  return { text: allowed ? PETS : NO_PETS, allowed }
}

/** Hotels of a better class receive guests at any time. */
function lateArrivalOf(random: SeededRandom, house: WorldProperty): PolicyDetails['lateArrival'] {
  const isAlwaysOpen = house.propertyType === 'hotel' && (house.starRating ?? 0) >= 3
  if (isAlwaysOpen) return { text: ANY_TIME, noticeRequired: false }
  const latestCheckIn = random.pick(['20:00', '21:00', '22:00', '23:00'])
  const time = easternDigits(latestCheckIn)
  const text = names(
    `Guests who arrive after ${latestCheckIn} let the house know in advance.`,
    `هغه مېلمانه چې له ${time} وروسته رارسېږي، مخکې دې خبر ورکړي.`,
    `مهمانانی که پس از ${time} می‌رسند، پیش از آن خبر بدهند.`,
  )
  return { text, latestCheckIn, noticeRequired: true }
}

function documentsOf({ country }: WorldProperty): PolicyDetails['identityDocuments'] {
  if (country === 'AF') return { text: TAZKIRA_OR_PASSPORT, accepted: ['national_id', 'passport'] }
  return { text: PASSPORT_OR_CARD, accepted: ['passport', 'national_id'] }
}
