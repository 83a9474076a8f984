/** Above this the sRGB curve is not linear (WCAG 2.2, "relative luminance"). */
const LINEAR_MAX = 0.04045

/** WCAG 2.2: from 1 (equal brightness) to 21 (black on white). */
export function contrastRatio(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  if (darker === undefined || lighter === undefined) throw new TypeError('two colours')
  return (lighter + 0.05) / (darker + 0.05)
}

/** @param color `#rrggbb` */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(color.slice(at, at + 2)))
  if (red === undefined || green === undefined || blue === undefined) throw new TypeError(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(hex: string): number {
  const value = Number.parseInt(hex, 16) / 255
  return value <= LINEAR_MAX ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
