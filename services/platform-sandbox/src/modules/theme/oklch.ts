export interface Oklch {
  /** 0 is black, 1 is white. */
  readonly lightness: number
  readonly chroma: number
  readonly hueDegrees: number
}

const CHROMA_STEP = 0.005
/** Rounding to eight bits hides an excess of this size. */
const GAMUT_TOLERANCE = 0.001

/**
 * `#rrggbb` of a colour in Oklch (CSS Color 4 §9.4), where equal steps look equal. A colour outside
 * the sRGB gamut loses chroma until it fits.
 */
export function toHex(color: Oklch): string {
  let { chroma } = color
  let channels = toLinear(color)
  while (chroma > 0 && !channels.every(isShown)) {
    chroma = Math.max(0, chroma - CHROMA_STEP)
    channels = toLinear({ ...color, chroma })
  }
  return `#${channels.map(toHexByte).join('')}`
}

function toLinear({ lightness, chroma, hueDegrees }: Oklch): readonly number[] {
  const radians = (hueDegrees * Math.PI) / 180
  const a = chroma * Math.cos(radians)
  const b = chroma * Math.sin(radians)
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

function isShown(channel: number): boolean {
  return channel >= -GAMUT_TOLERANCE && channel <= 1 + GAMUT_TOLERANCE
}

function toHexByte(linear: number): string {
  const value = Math.min(1, Math.max(0, linear))
  const encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, '0')
}
