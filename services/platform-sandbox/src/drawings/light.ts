import type { Scenery } from '../world/city.ts'
import type { SeededRandom } from '../world/seeded-random.ts'
import { circle, gradient, hsl, rect, WIDTH } from './svg.ts'

/** The light at an hour of the day: three colours of the sky, from the zenith to the horizon. */
export interface Light {
  readonly sky: readonly [string, string, string]
  readonly sun: string
  readonly sunHeight: number
  /** The hue of distant objects. */
  readonly hazeHue: number
  /** −25 at night, 0 at noon: added to the lightness of all objects. */
  readonly shade: number
  readonly isNight: boolean
}

const HOURS: readonly Light[] = [
  {
    sky: ['#8fb8de', '#c9dcec', '#f7e3cf'],
    sun: '#fff6dd',
    sunHeight: 130,
    hazeHue: 210,
    shade: 4,
    isNight: false,
  },
  {
    sky: ['#4f93d1', '#8fc1e8', '#dcecf5'],
    sun: '#fffbe8',
    sunHeight: 90,
    hazeHue: 208,
    shade: 0,
    isNight: false,
  },
  {
    sky: ['#5b6fae', '#e59a86', '#fbd29a'],
    sun: '#ffe2ad',
    sunHeight: 215,
    hazeHue: 14,
    shade: -6,
    isNight: false,
  },
  {
    sky: ['#34406f', '#8a6a94', '#f0a77c'],
    sun: '#ffd39a',
    sunHeight: 240,
    hazeHue: 285,
    shade: -12,
    isNight: false,
  },
  {
    sky: ['#101a3c', '#25335f', '#4a5586'],
    sun: '#f4f1de',
    sunHeight: 95,
    hazeHue: 228,
    shade: -22,
    isNight: true,
  },
]

export function drawLight(random: SeededRandom): Light {
  return random.pick(HOURS)
}

export function skyDefs({ sky }: Light): string {
  return gradient('sky', sky)
}

export interface SkyPlan {
  readonly light: Light
  readonly scenery: Scenery
  readonly height: number
}

export function paintSky(random: SeededRandom, { light, scenery, height }: SkyPlan): string {
  const x = random.int(120, 680)
  const y = light.sunHeight
  let sky = rect({ x: 0, y: 0, width: WIDTH, height }, 'url(#sky)')
  if (light.isNight) {
    sky += stars(random)
    if (scenery === 'north') sky += aurora(random)
  }
  sky += circle(x, y, { r: 70, fill: light.sun, opacity: 0.25 })
  sky += circle(x, y, { r: light.isNight ? 26 : 38, fill: light.sun })
  if (light.isNight) sky += circle(x + 11, y - 7, { r: 22, fill: light.sky[0] })
  return light.isNight ? sky : sky + clouds(random)
}

function stars(random: SeededRandom): string {
  return Array.from({ length: 24 }, () =>
    circle(random.int(5, 795), random.int(5, 220), { r: random.int(1, 2), fill: '#fff' }),
  ).join('')
}

function aurora(random: SeededRandom): string {
  return [150, 165, 180]
    .map((hue, index) => {
      const y = 70 + index * 34 + random.int(0, 20)
      const d = `M0 ${y}C200 ${y - 60} 320 ${y + 70} 520 ${y}S760 ${y - 30} 800 ${y + 20}`
      return `<path d="${d}" fill="none" stroke="${hsl(hue, 70, 62)}" stroke-width="20" opacity=".4"/>`
    })
    .join('')
}

function clouds(random: SeededRandom): string {
  return Array.from({ length: random.int(1, 3) }, () => {
    const [x, y, w] = [random.int(40, 700), random.int(40, 150), random.int(50, 90)]
    const puff = (dx: number, dy: number, r: number) => circle(x + dx, y + dy, { r, fill: '#fff' })
    return `<g opacity=".6">${puff(0, 0, w * 0.3)}${puff(w * 0.4, -8, w * 0.38)}${puff(w * 0.85, 2, w * 0.28)}</g>`
  }).join('')
}
