import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  ReferenceNode,
  ValueNode,
} from 'kysely';

const isColumn = (node: OperationNode, name: string): boolean =>
  ReferenceNode.is(node) && ColumnNode.is(node.column) && node.column.column.name === name;

/** Returns true for the condition `application_id = ?`. Joins compare two columns, so they do not match. */
const isFilter = (node: OperationNode): boolean =>
  BinaryOperationNode.is(node) &&
  (isColumn(node.leftOperand, 'applicationId') || isColumn(node.leftOperand, 'application_id')) &&
  ValueNode.is(node.rightOperand);

const always = BinaryOperationNode.create(
  ValueNode.createImmediate(1),
  OperatorNode.create('='),
  ValueNode.createImmediate(1),
);

class FilterRemover extends OperationNodeTransformer {
  removed = 0;

  protected override transformAnd(node: AndNode): AndNode {
    const { left, right } = node;
    return super.transformAnd(AndNode.create(this.#open(left), this.#open(right)));
  }

  protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    return super.transformBinaryOperation(isFilter(node) ? this.#count() : node);
  }

  #open(node: OperationNode): OperationNode {
    return isFilter(node) ? this.#count() : node;
  }

  #count(): BinaryOperationNode {
    this.removed += 1;
    return always;
  }
}

/**
 * Creates a Kysely plugin that removes the filter by `application_id` from every query, and counts the removals.
 * missing-application-filter.test.ts uses it: applications must still not read the data of others.
 */
export function withoutApplicationFilter(): {
  readonly plugin: KyselyPlugin;
  readonly removed: () => number;
} {
  const remover = new FilterRemover();
  return {
    removed: () => remover.removed,
    plugin: {
      transformQuery: ({ node }) => remover.transformNode(node),
      transformResult: async ({ result }) => result,
    },
  };
}
