import { idPattern } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { KeyCredential } from '@melmastoon/upstream-contracts/lock'
import { Type } from 'typebox'
import { RoomRow, StayRow, WorkOrderRow } from '../boards/board-rows.ts'

const { keyId, reservationId, rooms, kind, state, validFrom, validUntil, version } =
  KeyCredential.properties

const PackKeyRow = named(
  'OfflinePackKey',
  Type.Object({ keyId, reservationId, rooms, kind, state, validFrom, validUntil, version }),
)

/** For the document only: the payload of the pack. */
export const PackClaims = named(
  'OfflinePackClaims',
  Type.Object({
    iss: Type.Literal('bff-backoffice-service'),
    sub: Type.String({ pattern: idPattern('opr') }),
    tenant: Type.String({ pattern: idPattern('tnt') }),
    property: Type.String({ pattern: idPattern('ppt') }),
    did: Type.String({ pattern: idPattern('dev') }),
    cnf: Type.Object({ jkt: Type.String() }, { description: 'The key of the device (RFC 7800)' }),
    iat: Type.Integer(),
    exp: Type.Integer(),
    businessDate: Type.String({ format: 'date' }),
    degraded: Type.Array(Type.String(), {
      description: 'Upstreams that did not respond: their fields are missing',
    }),
    omitted: Type.Array(Type.String(), {
      description: 'Lists that could not be read or do not fit: they are not empty',
    }),
    lists: Type.Object(
      {
        housekeeping: Type.Optional(Type.Array(RoomRow)),
        in_house: Type.Optional(Type.Array(StayRow)),
        maintenance: Type.Optional(Type.Array(WorkOrderRow)),
        keys: Type.Optional(Type.Array(PackKeyRow)),
      },
      {
        description: 'Also `arrivals:<date>` and `departures:<date>` for three days',
        additionalProperties: Type.Array(StayRow),
      },
    ),
  }),
)
