import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  ValueListNode,
  ValueNode,
} from "kysely";

/**
 * Writes values into the SQL as literals, for SQL that people read and run by hand. Kysely has such a plugin, but does not
 * export it.
 */
export class LiteralValues implements KyselyPlugin {
  readonly #transformer = new LiteralTransformer();

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(node, queryId);
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}

class LiteralTransformer extends OperationNodeTransformer {
  // The cast is safe: Kysely's query compilers accept either kind of value list in place of the other.
  protected override transformPrimitiveValueList({ values }: PrimitiveValueListNode): PrimitiveValueListNode {
    return ValueListNode.create(values.map(ValueNode.createImmediate)) as unknown as PrimitiveValueListNode;
  }

  protected override transformValue({ value }: ValueNode): ValueNode {
    return ValueNode.createImmediate(value);
  }
}
