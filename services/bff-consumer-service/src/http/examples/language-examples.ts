import { messageExamples } from '@melmastoon/bff/languages'
import type { OperationExamples } from '@melmastoon/chassis/http'
import { choicesIn } from '../../preferences/platform-choices.ts'

/** Of the documents that change with a release only. */
export const languageExamples = {
  'consumer.locale.list': {
    parameters: { locale: 'ps-AF' },
    responses: { 200: choicesIn('ps-AF') },
  },
  'consumer.message.list': messageExamples,
} as const satisfies Readonly<Record<string, OperationExamples>>
