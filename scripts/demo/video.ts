import type { Client, ConnectedAccount } from '@svc/core';
import { video } from '@svc/video';
import { IDENTIFIER } from './connect.ts';
import { check, say } from './transcript.ts';

/**
 * Demo of the Video connector: requests to three hosts, and an update that leaves fields unchanged which its input
 * omits.
 */
export async function demoVideo(svc: Client, account: ConnectedAccount): Promise<void> {
  const tools = video(svc, account);
  const { data: channels } = await tools.channelsList({ part: 'snippet,statistics', mine: true });
  const channel = channels.items?.[0];
  say('tool   channelsList', channel?.snippet?.title);

  const { data: playlist } = await tools.playlistInsert({
    title: 'Launch',
    description: 'Everything about the launch.',
    privacy_status: 'unlisted',
  });
  const { data: renamed } = await tools.playlistUpdate({
    playlist_id: `${playlist.id}`,
    title: 'Launch week',
  });
  say('tool   playlistInsert, then playlistUpdate of the title', renamed.snippet?.title);
  check(
    'the update kept the description and the privacy',
    renamed.snippet?.description === 'Everything about the launch.' &&
      renamed.status?.privacyStatus === 'unlisted',
  );

  const { data: search } = await tools.search({ q: '', type: 'video', channel_id: channel?.id ?? '' });
  const videoId = search.items?.[0]?.id?.videoId ?? '';
  await tools.playlistItemsInsert({ playlist_id: `${playlist.id}`, video_id: videoId });
  const { data: items } = await tools.playlistItemsList({ part: 'snippet', playlist_id: `${playlist.id}` });
  check('the video is in the playlist', items.items?.[0]?.snippet?.resourceId?.videoId === videoId);

  const { data: report } = await tools.analyticsQuery({
    ids: `channel==${channel?.id}`,
    metrics: 'views',
    dimensions: 'day',
    start_date: '2026-10-01',
    end_date: '2026-10-03',
  });
  say('tool   analyticsQuery, on the second host', report.rows);

  const { data: jobs } = await tools.reportingListReportTypes();
  say('tool   reportingListReportTypes, on the third host', jobs.reportTypes?.length);
  await tools.playlistDelete({ playlist_id: `${playlist.id}` });

  const proxied = await svc.request<{ items: unknown[] }>({
    connectionName: 'video',
    identifier: IDENTIFIER,
    path: '/youtube/v3/channels',
    queryParams: { part: 'id', mine: true },
    method: 'GET',
  });
  say('proxy  GET /youtube/v3/channels', { status: proxied.status, items: proxied.data.items.length });
}
