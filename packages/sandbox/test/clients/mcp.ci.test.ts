import { newerSpeaker } from './mcp/newer.js';
import { olderSpeaker } from './mcp/older.js';
import { notes, type Speaker, scraping } from './mcp/speaker.js';
import { runBattery } from './support/battery.js';
import { connectNotes } from './support/connect-notes.js';
import { waysTo } from './support/ways.js';

const SPEAKERS: Readonly<Record<string, (endpoint: string, token: string) => Speaker>> = {
  '@modelcontextprotocol/client': newerSpeaker,
  '@modelcontextprotocol/sdk': olderSpeaker,
};

for (const [title, speak] of Object.entries(SPEAKERS)) {
  runBattery(`${title} at the scraping platform`, {
    // The endpoint is the upstream's base URL without a trailing slash, as people often configure it.
    ...waysTo('scrapermcp', ({ baseUrl, token }) => speak(baseUrl, token), { key: 'sandbox-scrapermcp' }),
    operations: scraping,
  });
  runBattery(`${title} at the notes server`, {
    ...waysTo('notesmcp', ({ baseUrl, token }) => speak(`${baseUrl}/mcp`, token), { connect: connectNotes }),
    operations: notes,
  });
}
