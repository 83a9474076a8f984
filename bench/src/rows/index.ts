import type { Row } from '../harness/row.ts'
import { rowN } from './board-delta/row-n.ts'
import { rowI } from './booking/row-i.ts'
import { rowK } from './booking/row-k.ts'
import { rowT } from './booking/row-t.ts'
import { rowB } from './cold-page/row-b.ts'
import { rowG } from './crypto/row-g.ts'
import { rowJ } from './dashboard/row-j.ts'
import { rowX } from './growth/row-x.ts'
import { rowM } from './handoff/row-m.ts'
import { rowE } from './idempotency/row-e.ts'
import { rowZ } from './idle/row-z.ts'
import { rowL } from './ledger/row-l.ts'
import { rowR } from './memory/row-r.ts'
import { rowO } from './offers/row-o.ts'
import { rowP } from './other-pages/row-p.ts'
import { rowD } from './outbox/row-d.ts'
import { rowC } from './stampede/row-c.ts'
import { rowH } from './streams/row-h.ts'
import { rowF } from './tenant-read/row-f.ts'
import { rowA2 } from './unknown-guests/row-a2.ts'
import { rowA } from './warm-page/row-a.ts'
import { rowS } from './world-search/row-s.ts'

/** Named as in the performance goals where they exist there. */
export const rows: readonly Row[] = [
  rowA,
  rowA2,
  rowB,
  rowC,
  rowD,
  rowE,
  rowF,
  rowG,
  rowH,
  rowI,
  rowJ,
  rowK,
  rowL,
  rowM,
  rowN,
  rowO,
  rowP,
  rowR,
  // Before S, which ends the sandbox that both use.
  rowT,
  rowS,
  rowX,
  rowZ,
]

/** Of the short form. */
export const shortRows = rows.filter(({ onlyFull = false }) => !onlyFull)
