import { paintSky } from '../light.ts'
import { paintScenery } from '../silhouettes.ts'
import { archPath, circle, element, gradient, hsl, mirrored, path, rect, WIDTH } from '../svg.ts'
import type { Motif, Painted } from './motif.ts'

/** A made bed, a carpet, a lamp, and the land outside the window. */
export function paintRoom({ random, light, scenery }: Motif): Painted {
  const [wall, cloth] = [random.pick([36, 48, 22, 200, 150]), random.int(0, 359)]
  const isMirrored = random.chance(0.5)
  const frame = { x: 470, y: 70, width: 220, height: 220 }
  const view =
    paintSky(random, { light, scenery, height: 400 }) +
    paintScenery(scenery, random, { light, horizon: 270 })
  const outline = archPath(frame)
  const body =
    rect({ x: 0, y: 0, width: WIDTH, height: 390 }, 'url(#wall)') +
    rect({ x: 0, y: 390, width: WIDTH, height: 110 }, 'url(#floor)') +
    path(archPath({ x: 458, y: 56, width: 244, height: 242 }), hsl(28, 34, 38)) +
    element('g', { 'clip-path': 'url(#pane)' }, view) +
    rect({ x: 577, y: 74, width: 6, height: 214 }, hsl(28, 34, 38)) +
    rect({ x: 452, y: 288, width: 256, height: 14 }, hsl(28, 34, 46), { rx: 3 }) +
    paintCarpet(cloth) +
    paintBed(cloth) +
    paintLamp(light.isNight) +
    paintPicture(random.int(0, 359))
  return {
    defs:
      gradient('wall', [hsl(wall, 26, 90), hsl(wall, 24, 80)]) +
      gradient('floor', [hsl(28, 36, 52), hsl(26, 38, 38)]) +
      element('clipPath', { id: 'pane' }, path(outline, '#000')),
    body: mirrored(isMirrored, body),
  }
}

function paintBed(hue: number): string {
  return (
    rect({ x: 60, y: 200, width: 330, height: 150 }, hsl(24, 40, 32), { rx: 16 }) +
    rect({ x: 50, y: 300, width: 350, height: 124 }, '#fbf8f2', { rx: 14 }) +
    rect({ x: 84, y: 254, width: 130, height: 64 }, '#fff', { rx: 18 }) +
    rect({ x: 236, y: 254, width: 130, height: 64 }, '#fff', { rx: 18 }) +
    path('M50 350H400V412Q400 424 388 424H62Q50 424 50 412Z', hsl(hue, 40, 48)) +
    rect({ x: 50, y: 350, width: 350, height: 18 }, hsl(hue, 44, 66)) +
    [90, 150, 210, 270, 330]
      .map((x) => path(`M${x} 396l15 -14l15 14l-15 14Z`, hsl(hue + 40, 50, 70)))
      .join('') +
    rect({ x: 66, y: 424, width: 14, height: 22 }, hsl(24, 40, 26)) +
    rect({ x: 370, y: 424, width: 14, height: 22 }, hsl(24, 40, 26))
  )
}

function paintCarpet(hue: number): string {
  const field = [120, 240, 360, 480, 600]
    .map((x) => path(`M${x + 40} 446l26 12l-26 12l-26 -12Z`, hsl(hue + 30, 60, 72)))
    .join('')
  return (
    path('M110 424H700L760 492H50Z', hsl(hue + 180, 46, 32)) +
    path('M124 431H688L734 485H76Z', hsl(hue + 190, 50, 42)) +
    field
  )
}

function paintLamp(isLit: boolean): string {
  const shine = isLit ? circle(740, 250, { r: 110, fill: '#ffdf9a', opacity: 0.3 }) : ''
  return (
    shine +
    rect({ x: 736, y: 268, width: 8, height: 120 }, '#5a4632') +
    path('M706 276L722 216H758L774 276Z', isLit ? '#ffe8b8' : '#f3e6cf') +
    rect({ x: 716, y: 384, width: 48, height: 10 }, '#5a4632', { rx: 4 })
  )
}

function paintPicture(hue: number): string {
  return (
    rect({ x: 170, y: 70, width: 110, height: 84 }, hsl(36, 46, 40)) +
    rect({ x: 178, y: 78, width: 94, height: 68 }, hsl(hue, 34, 84)) +
    path('M178 146L206 104L226 128L244 98L272 146Z', hsl(hue, 38, 54))
  )
}
