import { SeededRandom } from '../world/seeded-random.ts'
import { archPath, circle, element, gradient, hsl, path, rect } from './svg.ts'

export interface LogoPlan {
  /** Equal seeds give equal drawings. */
  readonly seed: string
  readonly hue: number
  /** A Latin capital. */
  readonly letter: string
}

const SIZE = 128
const CENTER = SIZE / 2

const SIGNS = [paintStar, paintArch, paintMoon, paintPetals] as const

/** A sign in the tenant's colour, with its initial. */
export function drawLogo({ seed, hue, letter }: LogoPlan): string {
  const random = SeededRandom.of(`logo:${seed}`)
  const sign = random.pick(SIGNS)
  const ground = gradient('g', [hsl(hue, 52, 42), hsl(hue + 16, 56, 28)])
  const initial = element(
    'text',
    {
      x: CENTER,
      y: 82,
      'text-anchor': 'middle',
      'font-family': 'Georgia,serif',
      'font-size': 48,
      'font-weight': 700,
      fill: '#fff',
    },
    /^[A-Z]$/.test(letter) ? letter : '·',
  )
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${SIZE} ${SIZE}` }
  return element(
    'svg',
    attributes,
    element('defs', {}, ground) +
      rect({ x: 0, y: 0, width: SIZE, height: SIZE }, 'url(#g)', { rx: random.int(0, 4) * 12 }) +
      sign(hsl(hue + 180, 60, 78)) +
      initial,
  )
}

/** The eight-pointed star of tile work. */
function paintStar(color: string): string {
  const box = { x: 26, y: 26, width: 76, height: 76 }
  const stroke = { stroke: color, 'stroke-width': 4 }
  const turned = { ...stroke, transform: `rotate(45 ${CENTER} ${CENTER})` }
  return rect(box, 'none', stroke) + rect(box, 'none', turned)
}

function paintArch(color: string): string {
  const arch = archPath({ x: 24, y: 14, width: 80, height: 98 })
  return path(arch, 'none', { stroke: color, 'stroke-width': 5 })
}

function paintMoon(color: string): string {
  return (
    circle(CENTER, CENTER, { r: 48, fill: 'none', stroke: color, 'stroke-width': 4 }) +
    path('M64 10a12 12 0 1 0 12 18a15 15 0 0 1 -12 -18Z', color)
  )
}

function paintPetals(color: string): string {
  return Array.from({ length: 8 }, (_, index) =>
    element('ellipse', {
      cx: CENTER,
      cy: 24,
      rx: 9,
      ry: 16,
      fill: color,
      opacity: 0.85,
      transform: `rotate(${index * 45} ${CENTER} ${CENTER})`,
    }),
  ).join('')
}
