import { paintSky } from '../light.ts'
import { paintScenery } from '../silhouettes.ts'
import { archPath, circle, element, HEIGHT, hsl, path, rect, WIDTH } from '../svg.ts'
import type { Motif, Painted } from './motif.ts'

const RAIL = 404

/** From a balcony: the land, the roofs, a railing with flowers. */
export function paintView({ random, light, scenery }: Motif): Painted {
  const { shade, isNight } = light
  const stone = hsl(random.pick([30, 40, 210]), 18, 62 + shade)
  let roofs = ''
  for (let x = -20; x < WIDTH; ) {
    const [width, height] = [random.int(60, 120), random.int(24, 64)]
    const y = 372 - height
    roofs += rect({ x, y, width, height: 90 }, hsl(30, 26, random.int(48, 64) + shade))
    const glow = isNight ? '#ffd98a' : hsl(206, 24, 36 + shade)
    roofs += path(archPath({ x: x + width / 2 - 8, y: y + 12, width: 16, height: 26 }), glow)
    x += width
  }
  return {
    defs: element('g', { id: 'flowers' }, paintFlowers(random.int(0, 359), shade)),
    body:
      paintSky(random, { light, scenery, height: HEIGHT }) +
      paintScenery(scenery, random, { light, horizon: 310 }) +
      rect({ x: 0, y: 340, width: WIDTH, height: 160 }, hsl(80, 18, 46 + shade)) +
      roofs +
      paintRailing(stone) +
      [110, 400, 690].map((x) => `<use href="#flowers" x="${x}"/>`).join(''),
  }
}

function paintRailing(fill: string): string {
  const posts = Array.from(
    { length: 14 },
    (_, index) => `M${index * 60 + 4} ${RAIL}h20q-8 40 0 80h-20q8 -40 0 -80Z`,
  )
  return (
    rect({ x: 0, y: RAIL - 18, width: WIDTH, height: 18 }, fill) +
    path(posts.join(''), fill) +
    rect({ x: 0, y: RAIL + 78, width: WIDTH, height: 20 }, fill)
  )
}

/** A flower box on the railing. */
function paintFlowers(hue: number, shade: number): string {
  const heads = [-44, -22, 0, 22, 44].map((x, index) => {
    const y = RAIL - 42 - (index % 2) * 8
    return (
      circle(x, y, { r: 13, fill: hsl(118, 32, 40 + shade / 2) }) +
      circle(x, y - 6, { r: 7, fill: hsl(hue, 64, 62 + shade) })
    )
  })
  const box = rect({ x: -54, y: RAIL - 34, width: 108, height: 26 }, hsl(18, 40, 42 + shade))
  return heads.join('') + box
}
