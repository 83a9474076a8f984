/**
 * The parser that reads imports for the boundary check walks every statement and does not know
 * `using` yet (explicit resource management). This module is loaded first and adds it.
 */
const { Visitor } = require('@swc/core/Visitor')

const visitKnown = Reflect.get(Visitor.prototype, 'visitStatement')

Visitor.prototype.visitStatement = function visitStatement(statement) {
  if (statement.type !== 'UsingDeclaration') return visitKnown.call(this, statement)
  statement.decls = this.visitVariableDeclarators(statement.decls)
  return statement
}
