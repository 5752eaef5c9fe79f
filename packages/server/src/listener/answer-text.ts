/** Of a schema, what decides which members of an answer leave the service. */
interface AnswerSchema {
  readonly properties?: Readonly<Record<string, AnswerSchema>>;
  readonly additionalProperties?: unknown;
  readonly items?: AnswerSchema;
}

type PickKnown = (value: unknown) => unknown;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keeps of a closed object only what its schema names. */
function pickOf({ properties, additionalProperties, items }: AnswerSchema): PickKnown | undefined {
  if (items !== undefined) {
    const pick = pickOf(items);
    return pick && ((value) => (Array.isArray(value) ? value.map(pick) : value));
  }
  if (properties === undefined || additionalProperties !== false) return undefined;
  const picks = Object.entries(properties).map(([name, schema]) => [name, pickOf(schema)] as const);
  return (value) => {
    if (!isObject(value)) return value;
    const known = picks.filter(([name]) => Object.hasOwn(value, name) && value[name] !== undefined);
    return Object.fromEntries(known.map(([name, pick]) => [name, pick ? pick(value[name]) : value[name]]));
  };
}

/** Writes answers as JSON: a member that the schema of the route does not name never leaves the service. */
export function createAnswerText(schema: AnswerSchema): (answer: unknown) => string {
  const pick = pickOf(schema);
  return (answer) => JSON.stringify(pick ? pick(answer) : answer);
}
