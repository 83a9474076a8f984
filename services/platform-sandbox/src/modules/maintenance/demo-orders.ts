import type { Locale } from '@melmastoon/domain'
import type {
  Severity,
  WorkOrderCategory,
  WorkOrderSource,
  WorkOrderStatus,
} from '@melmastoon/upstream-contracts/maintenance'

export interface DemoOrder {
  readonly category: WorkOrderCategory
  readonly severity: Severity
  readonly status: WorkOrderStatus
  readonly source: WorkOrderSource
  readonly hoursAgo: number
  /** Without a room it concerns the whole house. */
  readonly place: 'room' | 'vacant_room' | 'house'
  readonly title: Readonly<Record<Locale, string>>
}

/** An order in a vacant room blocks it. */
export const DEMO_ORDERS: readonly DemoOrder[] = [
  {
    category: 'plumbing',
    severity: 'high',
    status: 'assigned',
    source: 'guest_complaint',
    hoursAgo: 5,
    place: 'room',
    title: {
      en: 'The shower drains slowly',
      'fa-AF': 'آب شاور به سختی خارج می‌شود',
      'ps-AF': 'د شاور اوبه ورو وځي',
    },
  },
  {
    category: 'electrical',
    severity: 'critical',
    status: 'in_progress',
    source: 'housekeeping_flag',
    hoursAgo: 20,
    place: 'vacant_room',
    title: {
      en: 'The sockets have no power',
      'fa-AF': 'ساکت‌ها برق ندارند',
      'ps-AF': 'ساکټونه بریښنا نه لري',
    },
  },
  {
    category: 'hvac',
    severity: 'normal',
    status: 'open',
    source: 'manual_staff',
    hoursAgo: 2,
    place: 'room',
    title: {
      en: 'The heating is noisy',
      'fa-AF': 'بخاری صدا می‌دهد',
      'ps-AF': 'بخارۍ غږ کوي',
    },
  },
  {
    category: 'lock',
    severity: 'normal',
    status: 'blocked',
    source: 'lock_health_alert',
    hoursAgo: 44,
    place: 'room',
    title: {
      en: 'The battery of the door lock is low',
      'fa-AF': 'بطری قفل دروازه ضعیف است',
      'ps-AF': 'د دروازې د قلف بټرۍ کمزورې ده',
    },
  },
  {
    category: 'generator',
    severity: 'high',
    status: 'open',
    source: 'preventive_schedule',
    hoursAgo: 30,
    place: 'house',
    title: {
      en: 'The generator is due for service',
      'fa-AF': 'وقت سرویس جنراتور رسیده است',
      'ps-AF': 'د جنراټور د سرویس وخت دی',
    },
  },
  {
    category: 'it',
    severity: 'low',
    status: 'resolved',
    source: 'guest_complaint',
    hoursAgo: 50,
    place: 'room',
    title: {
      en: 'The wireless network is weak',
      'fa-AF': 'انترنت بی‌سیم ضعیف است',
      'ps-AF': 'بې‌سیم انټرنېټ کمزوری دی',
    },
  },
  {
    category: 'water',
    severity: 'normal',
    status: 'verified',
    source: 'manual_staff',
    hoursAgo: 70,
    place: 'house',
    title: {
      en: 'The water filter was clogged',
      'fa-AF': 'فلتر آب بند شده بود',
      'ps-AF': 'د اوبو فلټر بند شوی و',
    },
  },
]
