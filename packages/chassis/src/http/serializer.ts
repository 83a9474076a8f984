import { type SerializerCompiler, SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { compileOnce, createBuilder } from './compile-once.ts'

const selectSerializer = SerializerSelector()

/** Fastify's own serializers, compiled once for equal schemas. */
const serializerOf = compileOnce((external): SerializerCompiler => {
  const compile = compileOnce((schema) =>
    selectSerializer(external)({ schema, method: '', url: '', httpStatus: '' }),
  )
  return ({ schema }) => compile(schema)
})

export function createSerializerBuilder(): (external: unknown) => SerializerCompiler {
  return createBuilder(serializerOf)
}
