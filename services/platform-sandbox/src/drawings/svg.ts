export const WIDTH = 800
export const HEIGHT = 500

type Attributes = Readonly<Record<string, string | number>>

/** An element as text. Numbers are rounded: a drawing has few kilobytes. */
export function element(name: string, attributes: Attributes, children = ''): string {
  let text = `<${name}`
  for (const [key, value] of Object.entries(attributes)) text += ` ${key}="${shown(value)}"`
  return children === '' ? `${text}/>` : `${text}>${children}</${name}>`
}

function shown(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 10) / 10) : value
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export function rect(box: Box, fill: string, more: Attributes = {}): string {
  const { x, y, width, height } = box
  return element('rect', { x, y, width, height, fill, ...more })
}

export function circle(x: number, y: number, more: Attributes): string {
  return element('circle', { cx: x, cy: y, ...more })
}

export function path(d: string, fill: string, more: Attributes = {}): string {
  return element('path', {
    d: d.replace(/-?\d+\.\d+/g, (n) => String(Math.round(Number(n)))),
    fill,
    ...more,
  })
}

/** From the top, or from the left with `x2: 1, y2: 0`. */
export function gradient(id: string, colors: readonly string[], more: Attributes = {}): string {
  const stops = colors.map((color, index) =>
    element('stop', { offset: index / (colors.length - 1), 'stop-color': color }),
  )
  return element('linearGradient', { id, x1: 0, y1: 0, x2: 0, y2: 1, ...more }, stops.join(''))
}

/** A pointed arch within a box, for doors and windows. */
export function archPath({ x, y, width, height }: Box): string {
  const spring = y + Math.min(height * 0.55, width * 0.7)
  const [middle, right, foot] = [x + width / 2, x + width, y + height]
  return (
    `M${x} ${foot}V${spring}C${x} ${(y + spring) / 2} ${x + width * 0.3} ${y + 4} ${middle} ${y}` +
    `C${right - width * 0.3} ${y + 4} ${right} ${(y + spring) / 2} ${right} ${spring}V${foot}Z`
  )
}

export function mirrored(isMirrored: boolean, body: string): string {
  if (!isMirrored) return body
  return element('g', { transform: `matrix(-1 0 0 1 ${WIDTH} 0)` }, body)
}

export function document(defs: string, body: string): string {
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${WIDTH} ${HEIGHT}` }
  return element('svg', attributes, element('defs', {}, defs) + body)
}

/** Hue in degrees, saturation and lightness in percent, as `#rrggbb`. */
export function hsl(hue: number, saturation: number, lightness: number): string {
  const [s, l] = [saturation / 100, lightness / 100]
  const chroma = s * Math.min(l, 1 - l)
  const channel = (offset: number) => {
    const k = (offset + (((hue % 360) + 360) % 360) / 30) % 12
    const value = l - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(0)}${channel(8)}${channel(4)}`
}
