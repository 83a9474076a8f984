import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { ConsumerContext } from '../context.ts'

export interface Form {
  /** Whatever makes it differ from other forms of the same bytes. */
  readonly name: string
  readonly write: (text: string) => string
}

/** It derives from the bytes alone, so their tag and its name are all there is to know. */
export function readForm(
  { forms }: Pick<ConsumerContext, 'forms'>,
  origin: CachedBytes,
  { name, write }: Form,
): Promise<CachedBytes> {
  return forms.get({
    dims: { etag: origin.etag, form: name },
    load: async () => ({ body: write(origin.body.toString()) }),
  })
}
