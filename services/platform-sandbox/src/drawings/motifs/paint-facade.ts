import { paintSky } from '../light.ts'
import { paintScenery } from '../silhouettes.ts'
import { archPath, circle, gradient, HEIGHT, hsl, path, rect, WIDTH } from '../svg.ts'
import type { Motif, Painted } from './motif.ts'

const STREET = 430

/** Plaster, mud brick, white wash or blue tiles. */
const WALLS: readonly (readonly [number, number, number])[] = [
  [34, 42, 78],
  [26, 38, 66],
  [44, 24, 90],
  [204, 30, 74],
  [12, 40, 70],
]

export function paintFacade({ random, light, scenery }: Motif): Painted {
  const [hue, saturation, lightness] = random.pick(WALLS)
  const { shade } = light
  const floors = random.int(2, 4)
  const columns = random.int(4, 6)
  const [width, floorHeight] = [columns * 78 + 40, 76]
  const height = floors * floorHeight + 34
  const [x, y] = [(WIDTH - width) / 2 + random.int(-60, 60), STREET - height]
  const trim = hsl(hue, saturation, lightness - 22 + shade)
  const wall = rect({ x, y, width, height }, 'url(#wall)')
  const cornice = rect({ x: x - 8, y: y - 10, width: width + 16, height: 14 }, trim, { rx: 3 })
  const glow = light.isNight ? '#ffd98a' : hsl(206, 34, 40 + shade)
  let windows = ''
  for (let floor = 0; floor < floors; floor += 1) {
    for (let column = 0; column < columns; column += 1) {
      const isDoor = floor === floors - 1 && column === Math.floor(columns / 2)
      if (isDoor) continue
      windows += `<use href="#w" x="${Math.round(x + 31 + column * 78)}" y="${Math.round(y + 22 + floor * floorHeight)}"/>`
    }
  }
  const pane = { x: 0, y: 0, width: 42, height: 56 }
  const frame = { x: -4, y: -5, width: 50, height: 64 }
  const one =
    path(archPath(frame), trim) +
    path(archPath(pane), glow) +
    rect({ x: 20, y: 4, width: 2, height: 52 }, trim)
  const doorX = x + 20 + Math.floor(columns / 2) * 78
  const door =
    path(archPath({ x: doorX - 2, y: STREET - 92, width: 66, height: 92 }), trim) +
    path(archPath({ x: doorX + 6, y: STREET - 80, width: 50, height: 80 }), hsl(24, 44, 30))
  return {
    defs:
      gradient('wall', [
        hsl(hue, saturation, lightness + shade),
        hsl(hue, saturation, lightness - 10 + shade),
      ]) + `<g id="w">${one}</g>`,
    body:
      paintSky(random, { light, scenery, height: HEIGHT }) +
      paintScenery(scenery, random, { light, horizon: 350 }) +
      rect({ x: 0, y: 378, width: WIDTH, height: 60 }, hsl(90, 20, 46 + shade)) +
      wall +
      cornice +
      windows +
      door +
      paintSign(x + width / 2, y + 6, random.int(0, 359)) +
      rect({ x: 0, y: STREET, width: WIDTH, height: 70 }, hsl(30, 8, 58 + shade)) +
      rect({ x: 0, y: STREET, width: WIDTH, height: 8 }, hsl(30, 10, 74 + shade)) +
      paintTree(x - random.int(40, 70), shade) +
      paintTree(x + width + random.int(40, 70), shade),
  }
}

function paintSign(x: number, y: number, hue: number): string {
  return (
    rect({ x: x - 60, y: y - 26, width: 120, height: 22 }, hsl(hue, 46, 34), { rx: 5 }) +
    [-30, -10, 10, 30].map((dx) => circle(x + dx, y - 15, { r: 4, fill: '#fff' })).join('')
  )
}

function paintTree(x: number, shade: number): string {
  const crown = (dx: number, dy: number, r: number) =>
    circle(x + dx, STREET - dy, { r, fill: hsl(112, 30, 36 + shade / 2) })
  return (
    rect({ x: x - 6, y: STREET - 80, width: 12, height: 84 }, hsl(26, 34, 30 + shade / 2)) +
    crown(0, 120, 42) +
    crown(-26, 92, 30) +
    crown(26, 94, 32)
  )
}
