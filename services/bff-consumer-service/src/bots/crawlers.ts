import { createIsbotFromList, isbot, list } from 'isbot'

/**
 * isbot recognises crawlers by name, but also by words and shapes that occur in the names of phones
 * and television sets: `Discovery`, `Capture+`, `M_bot_tab`, `Karbonn K595`. Therefore a user agent
 * with evidence of a device is only matched with names of crawlers, outside the model of the
 * device. `tests/bots/user-agents.test.ts` measures the result per class of device and per list of
 * crawlers.
 */
export function isCrawler(userAgent: string): boolean {
  if (isDevice(userAgent)) return isCrawlerOnDevice(userAgent)
  if (!DESKTOP.test(userAgent)) return isbot(userAgent)
  return namesCrawler(userAgent.replaceAll(ADD_ON, ''))
}

function isCrawlerOnDevice(userAgent: string): boolean {
  const text = withoutDevice(userAgent)
  if (EXPLICIT.test(text)) return true
  // What feature phones send instead of `Mozilla/` follows no convention.
  return text.startsWith('Mozilla/') && namesCrawlerOnDevice(text)
}

export function isDevice(userAgent: string): boolean {
  return DEVICE.test(userAgent)
}

/** The user agent without the model and build of a phone, and without names of add-ons and apps. */
export function withoutDevice(userAgent: string): string {
  const text = userAgent.replace(ANDROID_MODEL, '$1').replaceAll(ADD_ON, '').replaceAll(APP, 'app')
  if (text.includes('Android')) return text
  return text.replace(COMMENT, (comment) => (EXPLICIT.test(comment) ? comment : '(; )'))
}

/** What phones, television sets, consoles and their browsers write into a user agent. */
const DEVICE = anyOf([
  String.raw`\bAndroid\b|\bAdr [\d.]|\b(?:iPhone|iPad|iPod)|Apple-iP|Windows (?:Phone|CE|Mobile)`,
  String.raw`IEMobile|\bFBAN/|Palm(?:OS|Source)|\bbada\b|\b(?:web|web0|kai)OS\b|Symbian|\bS[46]0`,
  String.raw`Series ?[346]0|\bTizen\b|Maemo|MeeGo|BlackBerry|\bBB10\b|\bBREW\b|\bMIDP|\bCLDC|\bJ2ME\b`,
  String.raw`\bMAUI\b|\(MRE|\bMMP/|\bUP\.(?:Browser|Link)|Obigo|Teleca|NetFront|POLARIS/|Openwave`,
  String.raw`\bWAP[ -]?(?:Browser|\d)|Opera (?:Mini|Mobi|TV)|UCWEB|UC ?Browser|Dolfin/|Jasmine/`,
  String.raw`Nextreaming|SMM-MMS|Danger hiptop|nook browser|DDIPOCKET`,
  String.raw`HbbTV|CE-HTML|Smart-?TV|NetCast|\bMaple ?\d|NETTV|NETRANGE|GoogleTV|AppleTV|CrKey|\bRoku`,
  String.raw`BRAVIA|InettvBrowser|DLNADOC|VIERA|AQUOS|PlayStation|Nintendo|\bWii\b|\bXbox\b`,
  // Makers of feature phones that send neither `Mozilla/` nor a profile.
  String.raw`^(?:Nokia|SAMSUNG|SEC-|SonyEricsson|Ericsson|SIE-|MOT-|Motorola|LGE?[/ -]|Alcatel|ZTE)`,
  String.raw`^(?:HUAWEI|Karbonn|Micromax|Celkon|GIONEE|QMobile|TECNO|Infinix|Walton|Lenovo|Philips)`,
  String.raw`^(?:Panasonic|SAGEM|BenQ|Haier|Pantech|PG-|SANYO|SHARP|TOSHIBA|Kyocera|KDDI|DoCoMo)`,
  String.raw`^(?:J-PHONE|SoftBank|Vodafone|WILLCOM|portalmmm|Explay|Videocon|iBall|Onida|AIRNESS)`,
  String.raw`^(?:Fly|Intex|itel|Lava|Maxx|Olive|Spice|Symphony|Zen)[ _/-]`,
])

const DESKTOP = anyOf([
  String.raw`^(?:Mozilla|Opera)/[\d.]+ (?:\[\w+\] )?\((?:Windows|Macintosh|X11|compatible; MSIE)`,
  String.raw`(?:^|compatible; )(?:Amaya|Arora|Camino|Dillo|ELinks|Epiphany|Galeon|IBrowse|iCab)\b`,
  String.raw`(?:^|compatible; )(?:Konqueror|Links|Lynx|Midori|NCSA_Mosaic|NetPositive|NetSurf)\b`,
  String.raw`(?:^|compatible; )(?:OffByOne|OmniWeb|Oregano|Sleipnir|Uzbl|w3m)\b`,
])

/** A crawler that copies the user agent of a device adds its name with a version, or an address. */
const EXPLICIT = anyOf([
  String.raw`bot/|; ?\w*bot[;)]|(?:google|bing|msn)bot|crawler|spider|preview|(?<!user)-agent\b`,
  String.raw`https?://|\bwww\.|@[a-z][\w-]*\.`,
])

/** From the version of Android to the next segment of the comment; a build may be a segment. */
const ANDROID_MODEL =
  /(\bAndroid[ /]?[\w.-]*;(?: ?U;)?(?: ?[a-z]{2}[-_][a-z]{2};)?)[^;]*?(?:\([^)]*\)[^;)]*)?(?:; ?Build\/[^;)]*)?(?=[;)]|$)/i
const COMMENT = /\((?:[^()]|\([^()]*\))*\)/
/** Apps name themselves by the reverse of a host. */
const APP = /\b(?:air\.)?com\.\w+(?:[./]\w+)+/g
const ADD_ON =
  /\bGoogle ?(?:T\d|Toolbar\w*|TV|Earth|PlayStore)|Embedded ?(?:Web Browser|WB)[^;)]*bsalsa\.com\/?|AlphaServer/g

/** Patterns of isbot that also match the shape or a component of ordinary browsers. */
const LOOSE = [
  String.raw`^\w+/\d\.\d\s\([\w@]+\)$`,
  String.raw`^[\w \.\-\(?:\):%]+(?:/v?\d+(?:\.\d+)?(?:\.\d{1,10})*?)?(?:,|$)`,
  String.raw`^[\w\-]+/[\w]+$`,
  String.raw`^\w+/[\w\(\)]*$`,
  String.raw`^mozilla/\d\.\d\s\((?:compatible;)?(?:\s?[\w\d-.]+[\s/]\d+\.\d+)?\)$`,
  String.raw`^[^ ]{50,}$`,
  String.raw`;\s\w+;$`,
  String.raw`\b\w+/1\.0;`,
  String.raw`\(\)`,
  String.raw`\|`,
  '^amaya',
  '^netsurf',
  'browsex',
  'chromeframe',
  'download',
  'firephp',
  'offbyone',
  'optimize',
]
/** On phones, names of apps and components match more of them. */
const LOOSE_ON_DEVICES = [...LOOSE, '(?:^|[^g])news(?!sapphire)', 'java(?!;)', 'sogou', 'tools']

const namesCrawler = isbotWithout(LOOSE)
const namesCrawlerOnDevice = isbotWithout(LOOSE_ON_DEVICES)

function isbotWithout(loose: readonly string[]) {
  return createIsbotFromList(list.filter((pattern) => !loose.includes(pattern)))
}

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'), 'i')
}
