import type { Client } from '@notionhq/client';
import type { Operation } from '../support/battery.js';

export type NotionOperation = Operation<Client>;

export const NOWHERE = '00000000-0000-4000-8000-000000000000';
export const isList = { object: 'list' };

export const text = (content: string) => [{ text: { content } }];
export const paragraph = (content: string) => ({ paragraph: { rich_text: text(content) } });

export async function countEach(items: AsyncIterable<unknown>): Promise<{ many: boolean }> {
  let count = 0;
  for await (const _ of items) count += 1;
  return { many: count > 2 };
}
