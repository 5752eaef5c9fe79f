import { type Client, createClient } from '@svc/core';
import { describe, expect, test } from 'vitest';
import { type ChannelsListInput, type VideoResource, type VideosUpdateInput, video } from '../src/index.js';
import { schemas } from '../src/schemas.js';

/** Creates the connector with a fake client, which returns these pages, and the list of its calls. */
function recorded(...pages: readonly { readonly data: object; readonly nextInput?: object }[]) {
  const calls: unknown[] = [];
  const executeTool = async (call: unknown) => {
    calls.push(call);
    return {
      ...(pages[calls.length - 1] ?? { data: {} }),
      schemaVersion: '1.0.0',
      toolVersion: '1.0.0',
      executionId: 'exec_1',
    };
  };
  // The type assertion is safe, because the connector calls only `executeTool`.
  return { calls, tools: video({ executeTool } as unknown as Client, { id: 'acct_1' }) };
}

describe('video', () => {
  test('runs a tool with the account and the versions of the package', async () => {
    const { calls, tools } = recorded();
    await tools.videosRate({ video_id: 'v1', rating: 'remove' });
    expect(calls).toEqual([
      {
        toolName: 'video_videos_rate',
        connectedAccountId: 'acct_1',
        toolInput: { video_id: 'v1', rating: 'remove' },
        schemaVersion: '1.0.0',
        toolVersion: '1.0.0',
      },
    ]);
  });

  test('iterates over reports whose last page is an empty object', async () => {
    const { calls, tools } = recorded(
      { data: { reports: [{ id: 'a' }] }, nextInput: { page_token: 'next' } },
      { data: {} },
    );
    const ids: string[] = [];
    for await (const { id } of tools.reportingListReports.each({ job_id: 'j1' })) ids.push(id);
    expect(ids).toEqual(['a']);
    expect(calls).toMatchObject([
      { toolInput: { job_id: 'j1' } },
      { toolInput: { job_id: 'j1', page_token: 'next' } },
    ]);
  });

  test('has a schema for each of its 40 tools', () => {
    expect(Object.keys(schemas)).toHaveLength(40);
    expect(schemas.video_channels_list.inputSchema['description']).toContain('Give exactly one of id, mine');
  });
});

/** The function never runs. The compiler checks which calls compile. */
export async function typesAreExact(client: Client = createClient()): Promise<unknown> {
  const tools = video(client, 'acct_1');
  const part = 'snippet';
  const channels: ChannelsListInput = { part, for_handle: '@ada', mine: false };
  const update: VideosUpdateInput = { video_id: 'v1', title: 'Notes', category_id: '27', tags: [] };
  const { data: rated } = await tools.videosRate({ video_id: 'v1', rating: 'like' });
  const nothing: null = rated;
  const { data: item } = await tools.analyticsGroupItemInsert({
    group_id: 'g1',
    resource_id: 'v1',
    resource_kind: 'youtube#video',
  });
  const itemId: string | undefined = item?.id;
  const { data: results } = await tools.search({ q: 'engine' });
  const videoId: string | undefined = results.items?.[0]?.id.videoId;

  // @ts-expect-error a filter is required, such as id or mine
  await tools.channelsList({ part });
  // @ts-expect-error mine: false does not count as a filter
  await tools.channelsList({ part, mine: false });
  // @ts-expect-error the filters id and mine exclude each other
  await tools.playlistsList({ part, id: 'p1', mine: true });
  // @ts-expect-error max_results needs the filter chart
  await tools.videosList({ part, id: 'v1', max_results: 5 });
  // @ts-expect-error page_token needs parent_id
  await tools.commentsList({ id: 'c1', page_token: 'x' });
  // @ts-expect-error max_results and id exclude each other
  await tools.commentThreadsList({ part, id: 't1', max_results: 5 });
  // @ts-expect-error title needs category_id
  await tools.videosUpdate({ video_id: 'v1', title: 'Notes' });
  // @ts-expect-error video_duration needs type
  await tools.search({ video_duration: 'short' });
  // @ts-expect-error the value that removes a rating is "remove"
  await tools.videosRate({ video_id: 'v1', rating: 'none' });
  // @ts-expect-error the id of a search result is an object
  const wrong: string | undefined = results.items?.[0]?.id;
  // @ts-expect-error id is undefined if the video was already in the playlist
  const certain: string = item.id;
  return [channels, update, nothing, itemId, videoId, wrong, certain];
}

/** Returns the number of likes as the upstream sends it: a string, or undefined when the owner hides it. */
export const likesOf = ({ statistics }: VideoResource): string | undefined => statistics?.likeCount;
