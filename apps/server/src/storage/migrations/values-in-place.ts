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

/** Writes values into the SQL itself, as in what people read and run by hand. Kysely keeps its own such plugin to itself. */
export class ValuesInPlace implements KyselyPlugin {
  readonly #transformer = new InPlaceTransformer();

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(node, queryId);
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}

class InPlaceTransformer extends OperationNodeTransformer {
  // The compiler takes either list of values in the other's place.
  protected override transformPrimitiveValueList({ values }: PrimitiveValueListNode): PrimitiveValueListNode {
    return ValueListNode.create(values.map(ValueNode.createImmediate)) as unknown as PrimitiveValueListNode;
  }

  protected override transformValue({ value }: ValueNode): ValueNode {
    return ValueNode.createImmediate(value);
  }
}
