import { Client } from '@notionhq/client';
import { blocks } from './notion/blocks.js';
import { comments } from './notion/comments.js';
import { databases } from './notion/databases.js';
import { failures } from './notion/failures.js';
import { files } from './notion/files.js';
import { lookups } from './notion/lookups.js';
import { pages } from './notion/pages.js';
import { views } from './notion/views.js';
import { runBattery } from './support/battery.js';
import { waysTo } from './support/ways.js';

const RETRY = { maxRetries: 2, initialRetryDelayMs: 1, maxRetryDelayMs: 5 };

runBattery('The Notion client', {
  ...waysTo(
    'workspace',
    ({ baseUrl, token }) => new Client({ auth: token, baseUrl, retry: RETRY, logger: () => undefined }),
  ),
  operations: [...lookups, ...pages, ...blocks, ...databases, ...views, ...comments, ...files, ...failures],
});
