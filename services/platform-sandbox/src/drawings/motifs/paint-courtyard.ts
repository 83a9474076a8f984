import { paintSky } from '../light.ts'
import { paintScenery } from '../silhouettes.ts'
import { archPath, circle, element, gradient, HEIGHT, hsl, path, rect, WIDTH } from '../svg.ts'
import type { Motif, Painted } from './motif.ts'

const FLOOR = 360

/** An arcade around water and roses. */
export function paintCourtyard({ random, light, scenery }: Motif): Painted {
  const { shade, isNight } = light
  const [hue, tiles] = [random.pick([28, 34, 40, 18]), random.pick([190, 204, 172, 216])]
  const arches = random.int(5, 7)
  const width = WIDTH / arches
  const inside = isNight ? hsl(38, 60, 46) : hsl(hue, 26, 34 + shade)
  let arcade = ''
  for (let index = 0; index < arches; index += 1) {
    const x = index * width + width * 0.12
    arcade += path(archPath({ x, y: 196, width: width * 0.76, height: FLOOR - 196 }), inside)
  }
  return {
    defs:
      gradient('wall', [hsl(hue, 40, 74 + shade), hsl(hue, 36, 62 + shade)]) +
      gradient('water', [hsl(tiles, 46, 66 + shade), hsl(tiles, 52, 42 + shade)]) +
      element('g', { id: 'bush' }, paintBush(random.int(0, 40), shade)),
    body:
      paintSky(random, { light, scenery, height: HEIGHT }) +
      paintScenery(scenery, random, { light, horizon: 170 }) +
      rect({ x: 0, y: 150, width: WIDTH, height: FLOOR - 150 }, 'url(#wall)') +
      rect({ x: 0, y: 150, width: WIDTH, height: 22 }, hsl(tiles, 48, 44 + shade)) +
      paintTiles(tiles, shade) +
      arcade +
      rect({ x: 0, y: FLOOR, width: WIDTH, height: HEIGHT - FLOOR }, hsl(hue, 24, 70 + shade)) +
      paintPaving(hue, shade) +
      paintPool(tiles, shade) +
      [70, 170, 630, 730].map((x) => `<use href="#bush" x="${x}"/>`).join(''),
  }
}

function paintTiles(hue: number, shade: number): string {
  const diamonds = Array.from(
    { length: 20 },
    (_, index) => `M${index * 40 + 11} 161l9 -8l9 8l-9 8Z`,
  )
  return path(diamonds.join(''), hsl(hue, 40, 78 + shade))
}

function paintPaving(hue: number, shade: number): string {
  const stroke = hsl(hue, 20, 60 + shade)
  const lines = [-700, -450, -220, 0, 220, 450, 700]
    .map((dx) => `M${400 + dx / 3} ${FLOOR}L${400 + dx} 500`)
    .join('')
  const d = `${lines}M0 392H800M0 436H800`
  return element('path', { d, stroke, 'stroke-width': 2, fill: 'none' })
}

function paintPool(hue: number, shade: number): string {
  const stone = hsl(hue, 14, 84 + shade)
  return (
    path('M270 478L310 398H490L530 478Z', stone) +
    path('M292 470L322 404H478L508 470Z', 'url(#water)') +
    rect({ x: 388, y: 392, width: 24, height: 40 }, stone, { rx: 4 }) +
    element('ellipse', { cx: 400, cy: 392, rx: 34, ry: 9, fill: stone }) +
    element('path', {
      d: 'M400 388C400 340 372 346 368 384M400 388C400 340 428 346 432 384',
      stroke: '#fff',
      'stroke-width': 3,
      fill: 'none',
      opacity: 0.7,
    })
  )
}

function paintBush(turn: number, shade: number): string {
  const leaf = hsl(124, 30, 34 + shade / 2)
  const pot = path('M-24 420h48l-8 40h-32Z', hsl(18, 46, 48 + shade))
  const crown = circle(0, 394, { r: 34, fill: leaf }) + circle(-22, 408, { r: 20, fill: leaf })
  const blossoms = [0, 1, 2, 3, 4].map((index) => {
    const angle = ((index * 72 + turn) * Math.PI) / 180
    const [x, y] = [Math.cos(angle) * 20, 394 + Math.sin(angle) * 20]
    return circle(x, y, { r: 5, fill: hsl(345 + turn, 66, 66 + shade) })
  })
  return pot + crown + blossoms.join('')
}
