/** JSON Schema of a route, with the keywords that describe its structure. */
export interface Schema {
  readonly [keyword: string]: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/**
 * Collects the titled schemas and the error responses as components of the OpenAPI document, so that the document
 * contains each of them once.
 */
export function createComponents() {
  const schemas: Record<string, Schema> = {};
  const responses: Record<string, object> = {};

  function withReferences(schema: Schema): Schema {
    const { properties, items, anyOf, additionalProperties } = schema;
    return {
      ...schema,
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [name, referTo(property)]),
        ),
      }),
      ...(items && { items: referTo(items) }),
      ...(anyOf && { anyOf: anyOf.map(referTo) }),
      ...(isSchema(additionalProperties) && { additionalProperties: referTo(additionalProperties) }),
    };
  }

  /**
   * Replaces a schema that has a title by a `$ref` to its component. Returns other schemas with such references inside.
   */
  function referTo(schema: Schema): Schema {
    const { title, description, ...content } = withReferences(schema);
    if (title === undefined) return description === undefined ? content : { description, ...content };
    const known = schemas[title];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify({ title, ...content }))
      throw new Error(`Two schemas have the title "${title}". Rename one of them.`);
    schemas[title] = { title, ...content };
    return { $ref: `#/components/schemas/${title}`, ...(description !== undefined && { description }) };
  }

  function referToResponse(name: string, response: object) {
    responses[name] = response;
    return { $ref: `#/components/responses/${name}` };
  }

  return { schemas, responses, referTo, referToResponse };
}

export type Components = ReturnType<typeof createComponents>;
