import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Item } from '../../apify/dataset-items.js';

export type { Item };

export type Outcome = 'SUCCEEDED' | 'FAILED' | 'TIMED-OUT' | 'ABORTED';

interface Work {
  readonly items: readonly Item[];
  /** Duration of a run in seconds on the sandbox clock. */
  readonly seconds: number;
  readonly outcome?: Outcome;
  readonly statusMessage?: string;
}

/** MCP tool of an actor that is itself an MCP server. */
interface ActorTool {
  readonly name: string;
  call(input: Item): string;
}

export interface Actor {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly categories: readonly string[];
  readonly totalUsers: number;
  readonly input: z.ZodObject;
  readonly readme: string;
  readonly refusal?: string;
  readonly tools?: readonly ActorTool[];
  run(input: Item): Work;
}

type ActorSketch<Input extends z.ZodObject> = Pick<
  Actor,
  'username' | 'name' | 'title' | 'description' | 'totalUsers'
> &
  Partial<Pick<Actor, 'categories' | 'readme' | 'refusal' | 'tools'>> & {
    readonly input: Input;
    run(input: z.output<Input>): Work;
  };

export function actor<Input extends z.ZodObject>(sketch: ActorSketch<Input>): Actor {
  const { input, run, title, description, ...rest } = sketch;
  return {
    categories: ['DEVELOPER_TOOLS'],
    readme: `# ${title}\n\n${description}`,
    ...rest,
    title,
    description,
    input,
    id: shortId(`${sketch.username}/${sketch.name}`),
    run: (given) => run(input.parse(given)),
  };
}

export const fullName = ({ username, name }: Actor): string => `${username}/${name}`;

export function shortId(text: string): string {
  return createHash('sha256').update(text).digest('base64').replaceAll(/[+/=]/g, '').slice(0, 17);
}

export const inputSchemaOf = ({ input, title }: Actor): Item => ({
  title: `Input of ${title}`,
  schemaVersion: 1,
  ...z.toJSONSchema(input, { io: 'input' }),
});
