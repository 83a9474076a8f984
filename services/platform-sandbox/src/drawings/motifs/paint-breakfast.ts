import { circle, element, gradient, HEIGHT, hsl, mirrored, path, rect, WIDTH } from '../svg.ts'
import type { Motif, Painted } from './motif.ts'

/** Green tea, flat bread, eggs, and seasonal fruit. */
export function paintBreakfast({ random }: Motif): Painted {
  const cloth = random.int(0, 359)
  const pot = random.pick([204, 172, 16, 344, 42])
  const fruit = random.pick([350, 28, 44, 96])
  return {
    defs:
      gradient('table', [hsl(cloth, 34, 60), hsl(cloth, 38, 46)]) +
      gradient('morning', ['#fff1d6', '#f7dcb4', '#eec796']),
    body: mirrored(
      random.chance(0.5),
      rect({ x: 0, y: 0, width: WIDTH, height: 210 }, 'url(#morning)') +
        paintCurtains(random.int(0, 359)) +
        rect({ x: 0, y: 190, width: WIDTH, height: HEIGHT - 190 }, 'url(#table)') +
        paintBorder(cloth) +
        paintBread(200, 370) +
        paintTeapot(pot) +
        paintCup(560, 390, pot) +
        paintCup(652, 350, pot) +
        paintEggs(400, 410) +
        paintFruit(random.int(90, 130), fruit),
    ),
  }
}

function paintCurtains(hue: number): string {
  const fold = (x: number) =>
    path(`M${x} 0h60c-8 60 -30 120 -10 196h-60c14 -70 2 -130 10 -196Z`, hsl(hue, 30, 66), {
      opacity: 0.75,
    })
  return (
    [-20, 36, 690, 748].map(fold).join('') +
    circle(400, 110, { r: 90, fill: '#fff', opacity: 0.55 })
  )
}

function paintBorder(hue: number): string {
  const diamonds = Array.from(
    { length: 16 },
    (_, index) => `M${index * 52 + 10} 474l18 -14l18 14l-18 14Z`,
  )
  return path(diamonds.join(''), hsl(hue + 30, 50, 78))
}

function paintBread(x: number, y: number): string {
  const loaf = (dy: number, tone: number) =>
    element('ellipse', { cx: x, cy: y + dy, rx: 128, ry: 44, fill: hsl(34, 62, tone) })
  const seams = [-70, -35, 0, 35, 70].map((dx) => `M${x + dx - 10} ${y - 32}l14 48`).join('')
  const stroke = { stroke: hsl(30, 52, 52), 'stroke-width': 5, fill: 'none' }
  return loaf(10, 50) + loaf(0, 66) + element('path', { d: seams, ...stroke })
}

function paintTeapot(hue: number): string {
  const body = hsl(hue, 44, 52)
  return (
    element('ellipse', { cx: 470, cy: 318, rx: 90, ry: 16, fill: '#000', opacity: 0.15 }) +
    element('path', {
      d: 'M536 236c50 -14 62 60 -4 64',
      stroke: body,
      'stroke-width': 12,
      fill: 'none',
    }) +
    path('M404 262c-30 -4 -40 -30 -56 -42l16 -8c20 12 26 24 50 26Z', body) +
    path('M400 250c0 -60 140 -60 140 0c0 50 -26 66 -70 66s-70 -16 -70 -66Z', body) +
    path('M428 212c4 -22 80 -22 84 0Z', hsl(hue, 46, 42)) +
    circle(470, 190, { r: 9, fill: hsl(hue, 46, 36) }) +
    [430, 470, 510].map((x) => circle(x, 262, { r: 11, fill: hsl(hue + 30, 50, 80) })).join('')
  )
}

function paintCup(x: number, y: number, hue: number): string {
  return (
    element('ellipse', { cx: x, cy: y + 34, rx: 50, ry: 12, fill: '#fdfaf4' }) +
    path(`M${x - 34} ${y - 12}h68c0 30 -12 46 -34 46s-34 -16 -34 -46Z`, '#fff') +
    element('ellipse', { cx: x, cy: y - 12, rx: 34, ry: 10, fill: hsl(hue, 40, 70) }) +
    element('ellipse', { cx: x, cy: y - 11, rx: 28, ry: 7, fill: hsl(74, 52, 56) }) +
    element('path', {
      d: `M${x - 8} ${y - 30}c-10 -16 12 -20 2 -40M${x + 10} ${y - 30}c-10 -16 12 -20 2 -40`,
      stroke: '#fff',
      'stroke-width': 3,
      fill: 'none',
      opacity: 0.6,
    })
  )
}

function paintEggs(x: number, y: number): string {
  return (
    element('ellipse', { cx: x, cy: y, rx: 84, ry: 32, fill: '#fdfaf4' }) +
    element('ellipse', { cx: x, cy: y - 3, rx: 62, ry: 21, fill: '#fff' }) +
    circle(x - 20, y - 6, { r: 13, fill: '#f5b731' }) +
    circle(x + 22, y - 2, { r: 13, fill: '#f2ad1f' })
  )
}

function paintFruit(x: number, hue: number): string {
  const piece = (dx: number, dy: number) =>
    circle(x + dx, 250 + dy, { r: 24, fill: hsl(hue, 66, 50 + dx / 8) })
  return (
    piece(-34, 4) +
    piece(34, 4) +
    piece(0, -4) +
    piece(-16, -34) +
    piece(18, -34) +
    path(`M${x - 78} 254h156c-6 44 -34 62 -78 62s-72 -18 -78 -62Z`, hsl(204, 40, 84))
  )
}
