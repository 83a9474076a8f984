import { idPattern, type TenantId } from '@melmastoon/domain'
import { Type } from 'typebox'
import { NOTE_ID, type NoteId } from '../notes/note.ts'

export const TenantParams = Type.Object({
  tenantId: Type.Unsafe<TenantId>(Type.String({ pattern: idPattern('tnt') })),
})

export const NoteParams = Type.Object({
  ...TenantParams.properties,
  noteId: Type.Unsafe<NoteId>(Type.String({ pattern: idPattern(NOTE_ID) })),
})
